/**
 * The script of forms with a passkey: it shows what needs one, asks the browser for it, and sends the answer with the form.
 * It runs in browsers, as it stands here.
 */
export const passkeyScript = `if (window.PublicKeyCredential && navigator.credentials) {
  const decode = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));
  const encode = (bytes) =>
    bytes && btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=+$/, '');
  const ids = (list) => (list || []).map((one) => ({ ...one, id: decode(one.id) }));
  const ask = {
    get: (options) => navigator.credentials.get({
      publicKey: { ...options, challenge: decode(options.challenge), allowCredentials: ids(options.allowCredentials) },
    }),
    create: (options) => navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: decode(options.challenge),
        user: { ...options.user, id: decode(options.user.id) },
        excludeCredentials: ids(options.excludeCredentials),
      },
    }),
  };
  const members = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
  const toText = ({ id, type, rawId, response }) => {
    const body = {};
    for (const name of members) if (response[name]) body[name] = encode(response[name]);
    if (response.getTransports) body.transports = response.getTransports();
    return JSON.stringify({ id, type, rawId: encode(rawId), response: body, clientExtensionResults: {} });
  };
  for (const part of document.querySelectorAll('[data-needs-passkey]')) part.hidden = false;
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    const status = form.querySelector('[role=status]');
    const button = form.querySelector('button[type=button]');
    button.addEventListener('click', async () => {
      if (!form.reportValidity()) return;
      button.disabled = true;
      status.hidden = true;
      try {
        const credential = await ask[form.dataset.passkey](JSON.parse(form.dataset.options));
        form.elements.answer.value = toText(credential);
        form.submit();
      } catch (error) {
        button.disabled = false;
        status.textContent = 
          (error.name === 'InvalidStateError' && form.dataset.alreadyThere) || form.dataset.notUsed;
        status.hidden = false;
      }
    });
  }
}
`;
