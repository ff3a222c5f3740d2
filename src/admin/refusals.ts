/** Forms that are refused: the page is shown again with the values that were sent, and the message at its input. */
import type { AccountError } from '../access/access.ts';
import { ActionDelayed } from '../contract/action-runner.ts';
import { Failure, type FailureDetails } from '../failure.ts';
import { defaultLanguage, messagesOf } from '../pages/messages/messages.ts';
import type { AdminRequest } from './admin-request.ts';
import type { FormState } from './inputs.tsx';
import { markEnglish } from './message-text.tsx';

/** The code of a failure whose message is in the language of the visit already. */
export const translatedCode = 'translated';

/** Returns a message that exists in English only; on a page in another language, it is marked as English. */
export const englishMessage = (visit: AdminRequest, message: string): string =>
  visit.messages === messagesOf(defaultLanguage) ? message : markEnglish(message);

/** Returns the message of a failure in the language of the visit, or in English if it exists in English only. */
export function failureText(
  visit: AdminRequest,
  { message, details }: Pick<Failure, 'message' | 'details'>,
): string {
  if (details.code === translatedCode) return message;
  const text = problemText(visit, details);
  const isEnglish = visit.messages === messagesOf(defaultLanguage);
  // The message itself says more, unless it advises a person in the terminal.
  const isForTerminal = /`|\s--[a-z]/.test(message);
  const isOwn =
    details.code !== undefined && Object.hasOwn(visit.messages.consoleRefusals.texts, details.code);
  if (text === null || (isEnglish && isOwn && !isForTerminal)) return englishMessage(visit, message);
  return text;
}

/** The text of a code of a failure; null if there is none. */
function problemText(visit: AdminRequest, { code, value = '' }: FailureDetails): string | null {
  const { consoleOperator, consoleRefusals } = visit.messages;
  const texts = { ...consoleRefusals.texts, ...consoleOperator.problems };
  if (code === undefined || !Object.hasOwn(texts, code)) return null;
  const text = texts[code as keyof typeof texts];
  return typeof text === 'string' ? text : text(value);
}

/**
 * Returns the state of a form that was refused, for its page. Throws what is no refusal: unexpected failures, and
 * changes that go on.
 * @param inputOf the input of the page for a field of the failure; null if the page has none
 */
export function refusedForm(
  visit: AdminRequest,
  failure: unknown,
  inputOf: (field: string) => string | null = (field) => field,
): FormState {
  if (!(failure instanceof Failure) || failure instanceof ActionDelayed) throw failure;
  const { field } = failure.details;
  const input = field === undefined ? '' : (inputOf(field) ?? '');
  return { values: visit.form, errors: { [input]: failureText(visit, failure) } };
}

/** Returns why a form of an account was refused, in the language of the visit. */
export function accountErrorText(visit: AdminRequest, { code, value }: AccountError): string {
  const text = visit.messages.account.refusals[code];
  return typeof text === 'string' ? text : text(value);
}

/** The status of the page of a refused form (RFC 9110, section 15.5.21). */
export const refusedStatus = 422;
