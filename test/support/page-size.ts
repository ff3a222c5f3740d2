/** The size of a page as a browser decodes it. */
import { siteStylesheet } from '../../src/pages/site-style.ts';
import { stylesheet } from '../../src/pages/style.ts';

const styleBytes = Buffer.byteLength(stylesheet + siteStylesheet);

/** Maximum size of a page with its style sheets, in bytes. */
export const maxPageBytes = 60_000;

/** Returns the size of a page with its style sheets, in bytes. */
export const decodedBytes = (html: string): number => styleBytes + Buffer.byteLength(html);
