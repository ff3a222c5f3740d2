/** The languages of the pages, and the texts of the page that is being rendered. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import * as de from './de.ts';
import * as en from './en.ts';
import type { Messages } from './pattern.ts';

export type { Messages };

/** All languages, the default first. To add one: a file like `de.ts`, and a line here (docs/guides/identity.md). */
export const languages = { en, de } as const;
export type Language = keyof typeof languages;
export const languageCodes = Object.keys(languages) as Language[];
export const defaultLanguage = 'en' satisfies Language;

/** Returns the texts of a language. */
export const messagesOf = (language: Language): Messages => languages[language];
/** Whether a text is the code of a language that pages have. */
export const isLanguage = (text: string | null | undefined): text is Language =>
  typeof text === 'string' && Object.hasOwn(languages, text);

/** The texts of the document around a component; English outside of one. */
export const MessagesContext = createContext<Messages>(en);

/** Returns the texts of the page that the component is part of. */
export const useMessages = (): Messages => useContext(MessagesContext);
