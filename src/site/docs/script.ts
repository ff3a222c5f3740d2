/**
 * The browser script of the documentation pages, as text. It renders the reference from the OpenAPI
 * document, and keeps the API key of its requests while the tab is open.
 */
export const script = `const reference = document.getElementById('reference');
if (reference) {
  const find = (id) => document.getElementById(id);
  const [panel, form, input, state, actions] = ['key-panel', 'key-form', 'key-input', 'key-state', 'key-actions'].map(find);
  const [make, revoke] = ['key-make', 'key-revoke'].map(find);
  const shape = /^cb_live_[0-9A-Za-z]{6}_[0-9A-Za-z]{38}$/;
  const unasked = state.textContent;
  const kept = () => {
    try { return JSON.parse(sessionStorage.getItem('cratebase reference key')) || {}; } catch { return {}; }
  };
  const keep = (value) => {
    if (value) sessionStorage.setItem('cratebase reference key', JSON.stringify(value));
    else sessionStorage.removeItem('cratebase reference key');
    show();
  };
  const show = (message) => {
    const { key, id } = kept();
    state.textContent = message || (key ? 'Requests from this page carry ' + key.slice(0, 15) + '…' + key.slice(-4) + (id ? ', in your account as “Reference”.' : '.') : unasked);
    form.hidden = Boolean(key);
    actions.hidden = !key;
    if (revoke) revoke.hidden = !id;
    if (make) make.hidden = Boolean(key);
  };
  const send = async (fields) => {
    const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams({ csrf: form.dataset.csrf, ...fields }) });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error.message);
    return body;
  };
  const tryTo = async (button, work) => {
    button.disabled = true;
    try { await work(); } catch (failure) { show(failure.message || 'That did not work. Try again.'); }
    button.disabled = false;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // The script of all pages lets a form be sent once; this one is not sent at all.
    setTimeout(() => { for (const button of form.querySelectorAll('button')) button.disabled = false; });
    const key = input.value.trim();
    if (!shape.test(key)) { show('That is not a key: it begins with cb_live_ and has 53 characters.'); return; }
    input.value = '';
    keep({ key });
  });
  if (make) make.addEventListener('click', () => tryTo(make, async () => keep(await send({ form: form.dataset.form }))));
  if (revoke) revoke.addEventListener('click', () => tryTo(revoke, async () => { await send({ revoke: kept().id }); keep(); form.dataset.form += '1'; }));
  find('key-forget').addEventListener('click', () => { keep(); form.dataset.form += '1'; });
  show();

  // The viewer is heavy, so it is loaded for who wants one of the endpoints: by a click in the list, or by an address.
  const load = (tag, attributes) => new Promise((done, failed) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.addEventListener('load', done);
    element.addEventListener('error', failed);
    // Before our own style sheet, which has the last word.
    [...document.querySelectorAll('link[rel=stylesheet]')].at(-1).before(element);
  });
  const open = async () => {
    removeEventListener('hashchange', open);
    if (!location.hash.startsWith('#/')) { addEventListener('hashchange', open); return; }
    reference.setAttribute('aria-busy', 'true');
    try {
      const { viewer, looks } = reference.dataset;
      await Promise.all([load('script', { src: viewer }), load('link', { rel: 'stylesheet', href: looks })]);
      draw();
    } catch { addEventListener('hashchange', open); }
    reference.removeAttribute('aria-busy');
  };
  const draw = () => {
    const drawn = document.createElement('div');
    drawn.id = 'drawn';
    drawn.tabIndex = -1;
    const hadFocus = reference.contains(document.activeElement);
    reference.replaceChildren(drawn);
    if (hadFocus) drawn.focus({ preventScroll: true });
    SwaggerUIBundle({
      url: reference.dataset.document,
      domNode: drawn,
      presets: [SwaggerUIBundle.presets.apis],
      layout: 'BaseLayout',
      validatorUrl: null,
      deepLinking: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      defaultModelExpandDepth: 2,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      supportedSubmitMethods: ['get'],
      // The page has its main part already.
      onComplete: () => { for (const part of drawn.querySelectorAll('main, [role=main]')) part.setAttribute('role', 'presentation'); },
      requestInterceptor: (request) => {
        const { key } = kept();
        // An address in the document may name this host otherwise than the browser does: ask here.
        const url = new URL(request.url, location.href);
        const own = new URL(reference.dataset.document, location.href);
        if (request.loadSpec !== true) {
          // What is shown is the answer to this very request, with this key.
          request.cache = 'no-store';
          const at = url.pathname.indexOf('/api/v1/');
          if (at >= 0) request.url = own.origin + own.pathname.replace(/openapi\\.json$/, '').replace(/\\/$/, '') + url.pathname.slice(at) + url.search;
          if (key) request.headers.Authorization = 'Bearer ' + key;
        }
        return request;
      },
    });
  };
  void open();
}
`;
