/** The types of an OpenAPI document, as far as this program builds one. */
import type { OperationId } from './operations.ts';

export type OpenApiObject = Record<string, unknown>;
export type OpenApiOperation = OpenApiObject & {
  operationId: OperationId;
  parameters: OpenApiObject[];
  responses: Record<string, OpenApiObject>;
};
export type OpenApiDocument = OpenApiObject & {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, { get: OpenApiOperation }>;
  components: Record<
    'schemas' | 'parameters' | 'headers' | 'responses' | 'securitySchemes',
    Record<string, OpenApiObject>
  >;
};
