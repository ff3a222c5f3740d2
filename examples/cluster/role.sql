-- The role and the database of cratebase, for psql as an administrator: psql -f role.sql
-- The role owns one schema and nothing else. Replace the password, here and in the file "cluster".
CREATE ROLE cratebase_service LOGIN PASSWORD 'choose-a-long-one' NOSUPERUSER NOCREATEDB NOCREATEROLE;
CREATE DATABASE cratebase_service;
REVOKE ALL ON DATABASE cratebase_service FROM PUBLIC;
GRANT CONNECT ON DATABASE cratebase_service TO cratebase_service;
\connect cratebase_service
REVOKE ALL ON SCHEMA public FROM PUBLIC;
CREATE SCHEMA cratebase AUTHORIZATION cratebase_service;
ALTER ROLE cratebase_service IN DATABASE cratebase_service SET search_path = cratebase;
GRANT pg_monitor TO cratebase_service;
