/**
 * The software bill of materials of an executable, in CycloneDX 1.6 JSON: the parts of the file, with
 * versions, licences, package URLs and the digest in package-lock.json.
 */
import { Contrib, Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library';

const licenses = new Contrib.License.Factories.LicenseFactory((text) => {
  // An expression such as "MIT OR Apache-2.0"; anything else becomes a named licence.
  if (!/^\(?[\w.+-]+( (AND|OR|WITH) [\w.+-]+)+\)?$/.test(text)) throw new RangeError(text);
});

/** The package URL of an npm package (purl specification, type npm). */
const packageUrl = (group, name, version) =>
  `pkg:npm/${group ? `${group.replace('@', '%40')}/` : ''}${name}@${version}`;

/** The SHA-512 of an `integrity` value, in hexadecimal; none if there is none. */
function hashesOf(integrity) {
  const [algorithm, value] = (integrity ?? '').split('-', 2);
  if (algorithm !== 'sha512') return [];
  return [[Enums.HashAlgorithm['SHA-512'], Buffer.from(value, 'base64').toString('hex')]];
}

function componentOf({ name: full, version, license, integrity, url }) {
  const [group, name] = full.startsWith('@') ? full.split('/', 2) : [undefined, full];
  const purl = url ? undefined : packageUrl(group, name, version);
  const component = new Models.Component(Enums.ComponentType.Library, name, {
    bomRef: purl ?? `${name}@${version}`,
    version,
    ...(group ? { group } : {}),
    ...(purl ? { purl } : {}),
  });
  component.licenses.add(licenses.makeFromString(license));
  for (const [algorithm, digest] of hashesOf(integrity)) component.hashes.set(algorithm, digest);
  if (url)
    component.externalReferences.add(new Models.ExternalReference(url, Enums.ExternalReferenceType.Website));
  return component;
}

/** Derives a UUID from the digest, so that the same executable has the same document (RFC 9562, 5.8). */
const uuidOf = (digest) =>
  `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;

/**
 * Writes the bill of materials of one executable.
 * @param executable `{ name, version, license, sha256 }`: of this project; `sha256` of the file, in hexadecimal
 * @param parts what is inside: `{ name, version, license, integrity?, url? }`; npm packages have no `url`, and
 *   `integrity` as in package-lock.json
 * @returns the JSON text
 * @throws Error if the document does not match the schema of CycloneDX 1.6
 */
export async function writeSbom(executable, parts) {
  const root = new Models.Component(Enums.ComponentType.Application, executable.name, {
    bomRef: 'executable',
    version: executable.version,
  });
  root.licenses.add(licenses.makeFromString(executable.license));
  root.hashes.set(Enums.HashAlgorithm['SHA-256'], executable.sha256);
  const bom = new Models.Bom({ serialNumber: `urn:uuid:${uuidOf(executable.sha256)}` });
  bom.metadata.component = root;
  const unique = new Map(parts.map((part) => [`${part.name}@${part.version}`, part]));
  for (const part of unique.values()) {
    const component = componentOf(part);
    bom.components.add(component);
    root.dependencies.add(component.bomRef);
  }
  const text = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)).serialize(
    bom,
    {
      sortLists: true,
      space: 2,
    },
  );
  const problems = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
  if (problems !== null)
    throw new Error(`the bill of materials is not valid: ${JSON.stringify(problems[0])}`);
  return `${text}\n`;
}
