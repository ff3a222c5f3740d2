/** The manifest of an export, `catalogue.json` (docs/spec/changes.md#manifest). */
import type { Kind } from '../contract/fields.ts';
import type { ListingCredit } from '../contract/records.ts';
import type { WrittenFile } from './sinks.ts';

export const manifestName = 'catalogue.json';

export type ExportedFile = WrittenFile & { bytes: number; sha256: string };
export type ExportManifest = {
  /** Raised when the manifest changes incompatibly. */
  manifest_version: 1;
  /** The name of the export; its files stay below `/exports/{export}/` until it is removed. */
  export: string;
  revision: number;
  epoch: string;
  created_at: string;
  /** The address that the URLs of the records begin with. */
  base_url: string;
  service: string;
  /** The sentence that users of the data show. */
  attribution: string | null;
  /** The sources with a licence or an attribution line, which users of the data must respect. */
  sources: ({ name: string } & ListingCredit)[];
  records: Partial<Record<Kind, number>>;
  files: ExportedFile[];
};

/** Parses a manifest; null if it is not one. */
export function parseManifest(text: string): ExportManifest | null {
  try {
    const manifest = JSON.parse(text) as ExportManifest;
    return manifest.manifest_version === 1 && Array.isArray(manifest.files) ? manifest : null;
  } catch {
    return null;
  }
}
