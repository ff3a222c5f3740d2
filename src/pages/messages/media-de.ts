/** The texts of pictures, maps and the player in German; `de.ts` says how they are used. */
import type { mediaTexts as English } from './media-en.ts';

export const mediaTexts: typeof English = {
  pictureOf: (name) => `Bild: ${name}`,
  by: (author) => `Bild: ${author}`,
  filePage: 'Wikimedia Commons',
  onCommons: 'Urheber und Lizenz bei Wikimedia Commons',
  mapOf: (name) => `Karte der Umgebung von ${name}`,
  map: 'Karte',
  openMap: 'In OpenStreetMap öffnen',
  tileCredit: '© OpenStreetMap-Mitwirkende',
  mapData: 'Karte: Natural Earth, GeoNames (CC BY 4.0)',
  player: (name) => `Wiedergabe: ${name}`,
  playFrom: (time) => `Ab ${time} abspielen`,
};
