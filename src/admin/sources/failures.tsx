/** Pages about a source that does not exist, and the errors of refused forms. */
import { ActionDelayed } from '../../contract/action-runner.ts';
import { Failure } from '../../failure.ts';
import { QuietLink } from '../../pages/parts.tsx';
import type { StaffRequest } from '../admin-request.ts';
import type { FormState } from '../inputs.tsx';
import { failureText } from '../refusals.ts';
import type { AdminRoute } from '../route.ts';

type Handler = (visit: StaffRequest) => void | Promise<void>;

/** Returns the name of the source in the address or the form. */
export const sourceName = (visit: StaffRequest): string =>
  (visit.query.get('name') ?? visit.field('name')).trim();

/** Throws a `Failure` if there is no such source. For `long` actions, which report no failure to the page. */
export function assertSource(visit: StaffRequest, name: string): void {
  if (visit.deps.service.sourceProgress(name) === undefined)
    throw new Failure(`There is no source ${name}.`, 1, { isMissing: true, code: 'source_missing' });
}

/** Wraps the handlers of routes about one source: without such a source, the response is a page with the status 404. */
export const withMissing = (routes: readonly AdminRoute[]): AdminRoute[] =>
  routes.map((route) => ({ ...route, handle: orMissing(route.handle as Handler) }) as AdminRoute);

const orMissing =
  (handle: Handler): Handler =>
  async (visit) => {
    const name = sourceName(visit);
    if (name === '' || name.length > 100) return showMissing(visit, name.slice(0, 100));
    try {
      await handle(visit);
    } catch (failure) {
      if (!(failure instanceof Failure) || !failure.details.isMissing) throw failure;
      showMissing(visit, name);
    }
  };

function showMissing(visit: StaffRequest, name: string): void {
  const { source } = visit.messages.consoleSources;
  const title = source.missing(name);
  const children = (
    <>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="lead">{source.missingText}</p>
      <div class="actions">
        <QuietLink href={visit.path('/admin/sources')}>{source.toList}</QuietLink>
      </div>
    </>
  );
  visit.render(404, { title, section: '/admin/sources', children });
}

/**
 * Returns the errors of a form by input, in the language of the page as far as the input is known. A failure that no
 * form is about is thrown again.
 * @param inputs the names of the inputs that the form has; an error of another one is of the whole form
 */
export function formErrors(
  visit: StaffRequest,
  failure: unknown,
  inputs: readonly string[],
): FormState['errors'] {
  if (!(failure instanceof Failure) || failure instanceof ActionDelayed || failure.details.isMissing)
    throw failure;
  return refusalErrors(visit, failure, inputs);
}

/** A failure, as an action returns it. */
export type Refusal = Pick<Failure, 'message' | 'details'>;

/** Returns the error of a refused input; of the whole form if it has no such input. */
export function refusalErrors(
  visit: StaffRequest,
  failure: Refusal,
  inputs: readonly string[],
): FormState['errors'] {
  const { errors: texts } = visit.messages.consoleSources;
  const { field, code } = failure.details;
  if (field === undefined || !inputs.includes(field)) return { '': failureText(visit, failure) };
  const text = (code === undefined ? undefined : texts[`${field}_${code}`]) ?? texts[field];
  return { [field]: text ?? failureText(visit, failure) };
}
