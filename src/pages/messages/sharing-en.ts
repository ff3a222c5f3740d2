/** The texts of pictures, embedded lists and the installed app in English; `en.ts` says how they are used. */
export const sharing = {
  /** What the service is, on the picture of its home page. */
  catalogue: 'The catalogue of electronic music',
  contents: 'Events, artists, venues, festivals, labels and mixes',
  embed: 'Embed this list',
  embedHelp: 'Copy this into a page of your website. The list updates itself, and sets no cookies.',
  embedCopy: 'Copy code',
  embedOptions:
    'Add theme=light or theme=dark, limit=10 and lang=de to the address, if the list should differ from your visitors’ settings.',
  embedTitle: (title: string, service: string) => `${title} · ${service}`,
  embedMore: (service: string) => `All events on ${service}`,
  embedNone: 'No upcoming events.',
  opensNewTab: 'opens in a new tab',
  offlineTitle: 'You are offline',
  offlineText:
    'This device has not saved this page. Pages that you opened before are still here. Connect, then load this page again.',
  offlineHome: 'Home page',
};

export type SharingMessages = typeof sharing;
