/**
 * Updates a page of the console while its source is being read or removed. It asks for the state, shows its text, and
 * replaces the parts with `data-live` when the work ends; forms keep what was typed. It runs in browsers, as it stands
 * here. Without it, the notice has a link that reloads the page.
 */
export const progressScript = `for (const box of document.querySelectorAll('[data-progress]')) {
  const text = box.querySelector('span');
  const link = box.querySelector('a');
  const end = Date.now() + 3600000;
  let pause = 1000;
  if (link) link.hidden = true;
  const update = async () => {
    const answer = await fetch(link ? link.href : location.href);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const fresh = page.getElementById(part.id);
      if (fresh) part.replaceChildren(...fresh.childNodes);
    }
  };
  const ask = async () => {
    try {
      const answer = document.hidden ? null : await fetch(box.dataset.progress);
      if (answer && answer.ok) {
        const { busy, text: now } = await answer.json();
        if (!busy) await update();
        if (text.textContent !== now) text.textContent = now;
        if (!busy) { box.classList.add('good'); return; }
      }
    } catch {}
    pause = Math.min(pause * 1.2, 10000);
    if (Date.now() < end) setTimeout(ask, pause);
    else if (link) link.hidden = false;
  };
  setTimeout(ask, pause);
}
`;
