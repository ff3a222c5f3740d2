/** The texts of pictures, maps and the player in English; `en.ts` says how they are used. */

/** Texts below pictures and maps. */
export const mediaTexts = {
  /** The alternative text of a picture. */
  pictureOf: (name: string) => `Picture: ${name}`,
  by: (author: string) => `Picture: ${author}`,
  filePage: 'Wikimedia Commons',
  /** Links to the page of the file, which states author and licence. */
  onCommons: 'Author and licence on Wikimedia Commons',
  mapOf: (name: string) => `Map of the surroundings of ${name}`,
  map: 'Map',
  openMap: 'Open in OpenStreetMap',
  tileCredit: '© OpenStreetMap contributors',
  mapData: 'Map: Natural Earth, GeoNames (CC BY 4.0)',
  player: (name: string) => `Player: ${name}`,
  playFrom: (time: string) => `Play from ${time}`,
};
