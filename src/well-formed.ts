/** Texts without halves of characters. */

const loneSurrogates = /\p{Surrogate}/gu;

/**
 * Removes halves of UTF-16 pairs, which a cut at a fixed length or a broken source leaves behind. UTF-8 cannot hold them:
 * SQLite would store U+FFFD, while JSON keeps them as an escape, so that the two would differ.
 */
export const wellFormed = (text: string): string =>
  text.isWellFormed() ? text : text.replace(loneSurrogates, '');
