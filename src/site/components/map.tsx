/** Maps of a position: drawn by the service, or of the tile server that the operator set. */
import type { VNode } from 'preact';
import { type MapScale, mapPath, mapSize } from '../../media/map/area.ts';
import type { PageContext } from '../page-context.ts';
import { ExternalLink } from './links.tsx';
import type { PageSection } from './parts.tsx';

type Position = { latitude: number | null; longitude: number | null };

/** The section with the map of a place; null if its position is not known. */
export function mapSection(
  context: PageContext,
  name: string,
  { latitude, longitude }: Position,
  scale: MapScale,
): PageSection | null {
  if (latitude === null || longitude === null) return null;
  const path = mapPath(latitude, longitude, scale);
  if (path === null) return null;
  const { media } = context.messages;
  const { mapTiles, mapAttribution } = context.siteUrl.identity;
  const zoom = scale === 'venue' ? 15 : 11;
  const osm = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=${zoom}/${latitude}/${longitude}`;
  return {
    title: media.map,
    id: 'map',
    content: (
      <figure class="map">
        {mapTiles === null ? (
          // Not lazily: the first drawing takes a while, and a visitor who scrolls would see an empty frame.
          <img
            src={context.siteUrl.prefix + path}
            alt={media.mapOf(name)}
            fetchpriority="low"
            width={mapSize.width}
            height={mapSize.height}
          />
        ) : (
          <TileMap label={media.mapOf(name)} template={mapTiles} at={[latitude, longitude]} zoom={zoom} />
        )}
        <figcaption class="small">
          <ExternalLink href={osm}>{media.openMap}</ExternalLink>
          <span class="soft">{mapTiles === null ? media.mapData : (mapAttribution ?? media.tileCredit)}</span>
        </figcaption>
      </figure>
    ),
  };
}

const tileSize = 256;

/** A map of tiles in the projection of web maps (Web Mercator), with a marker in its middle. */
function TileMap({
  label,
  template,
  at: [latitude, longitude],
  zoom,
}: {
  label: string;
  template: string;
  at: [latitude: number, longitude: number];
  zoom: number;
}): VNode {
  const { width, height } = mapSize;
  const count = 2 ** zoom;
  const radians = (latitude * Math.PI) / 180;
  const middle = {
    x: ((longitude + 180) / 360) * count * tileSize,
    y: ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * count * tileSize,
  };
  const [left, top] = [middle.x - width / 2, middle.y - height / 2];
  const columns = range(Math.floor(left / tileSize), Math.floor((left + width) / tileSize));
  const rows = range(Math.floor(top / tileSize), Math.floor((top + height) / tileSize));
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {rows
        .filter((y) => y >= 0 && y < count)
        .flatMap((y) =>
          columns.map((x) => (
            <image
              href={tileUrl(template, zoom, ((x % count) + count) % count, y)}
              x={Math.round(x * tileSize - left)}
              y={Math.round(y * tileSize - top)}
              width={tileSize}
              height={tileSize}
              key={`${x} ${y}`}
            />
          )),
        )}
      <circle cx={width / 2} cy={height / 2} r="8" />
    </svg>
  );
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

const tileUrl = (template: string, z: number, x: number, y: number): string =>
  template.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y));
