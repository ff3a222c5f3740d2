/** Opens accounts and keys as a service does: requests are counted on the connection that reads the catalogue. */
import { type Access, openAccess } from '../../src/access/access.ts';
import { type Clock, systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';

/** Closing `access` closes both connections. */
export function openAccessOnReader(path: string, clock: Clock, create = true) {
  const own = openDatabase(path, { create });
  const reading = openDatabase(path, { create: false });
  const reader = openCatalogueReader(reading);
  const { endSnapshot } = reader;
  const access: Access = openAccess(own, clock, systemClock, () => ({ sqlite: reading, endSnapshot }));
  const close = access.close.bind(access);
  access.close = () => {
    reading.close();
    close();
  };
  return { access, own, reading, reader };
}
