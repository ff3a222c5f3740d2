/**
 * The search box that answers while one types (WAI-ARIA's combobox with a list box). Without it the box is a plain form.
 * It runs in browsers, as it stands here; what it shows was made and escaped by the server.
 */
export const siteScript = `for (const form of document.querySelectorAll('form[data-hits]')) {
  const input = form.querySelector('input[name=q]');
  const list = form.querySelector('[role=listbox]');
  const status = form.querySelector('[role=status]');
  let timer, under, active = -1, asked = '';
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-expanded', 'false');
  const options = () => list.querySelectorAll('[role=option]');
  const mark = (index) => {
    const all = options();
    if (all[active]) all[active].setAttribute('aria-selected', 'false');
    active = index;
    if (all[active]) {
      all[active].setAttribute('aria-selected', 'true');
      all[active].scrollIntoView({ block: 'nearest' });
      input.setAttribute('aria-activedescendant', all[active].id);
    } else input.removeAttribute('aria-activedescendant');
  };
  const close = () => {
    clearTimeout(timer);
    if (under) under.abort();
    mark(-1);
    list.hidden = true;
    asked = '';
    input.setAttribute('aria-expanded', 'false');
  };
  const open = () => {
    list.hidden = options().length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
  };
  const ask = async () => {
    const q = input.value.trim();
    if (q === asked) return;
    if (q === '') { close(); list.replaceChildren(); status.textContent = ''; return; }
    if (under) under.abort();
    under = new AbortController();
    try {
      const answer = await fetch(form.dataset.hits + '?q=' + encodeURIComponent(q), { signal: under.signal });
      if (!answer.ok) return;
      const hits = await answer.text();
      if (document.activeElement !== input) return;
      asked = q;
      mark(-1);
      list.innerHTML = hits;
      open();
      const count = list.querySelectorAll('[data-hit]').length;
      const texts = form.dataset.status.split('|');
      status.textContent = texts[Math.min(count, 2)].replace('#', count);
    } catch {}
  };
  const go = (option, aside) => {
    if (aside) window.open(option.dataset.href, '_blank', 'noopener');
    else location.assign(option.dataset.href);
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 120);
  });
  input.addEventListener('focus', () => { if (input.value.trim() !== '' && options().length === 0) ask(); });
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const count = options().length;
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      close();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && count > 0) {
      event.preventDefault();
      if (list.hidden) open();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      mark(active < 0 ? (step > 0 ? 0 : count - 1) : active + step >= count || active + step < 0 ? -1 : active + step);
    } else if (event.key === 'Enter' && active >= 0 && !list.hidden) {
      event.preventDefault();
      go(options()[active], event.ctrlKey || event.metaKey);
    }
  });
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = event.target.closest('[role=option]');
    if (option) go(option, event.ctrlKey || event.metaKey);
  });
  input.addEventListener('blur', close);
  addEventListener('pageshow', close);
}
for (const part of document.querySelectorAll('[data-near]')) {
  if (!navigator.geolocation || !isSecureContext) continue;
  const button = part.querySelector('button');
  part.hidden = false;
  button.addEventListener('click', () => {
    button.disabled = true;
    const round = (degrees) => degrees.toFixed(1);
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      location.assign(part.dataset.near + '?at=' + round(coords.latitude) + ',' + round(coords.longitude));
    }, () => {
      button.disabled = false;
      part.querySelector('[role=status]').textContent = part.dataset.failed;
    }, { maximumAge: 600000, timeout: 20000 });
  });
}
for (const player of document.querySelectorAll('audio')) {
  const links = [...document.querySelectorAll('a[data-from]')];
  for (const link of links) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      player.currentTime = Number(link.dataset.from);
      player.play().catch(() => {});
    });
  }
  player.addEventListener('timeupdate', () => {
    const now = links.findLast((link) => Number(link.dataset.from) <= player.currentTime);
    for (const link of links) {
      if (link === now) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  });
}
for (const figure of document.querySelectorAll('figure.picture:not(.drawn)')) {
  const picture = figure.querySelector('img');
  // A cover instead of the picture (its natural width is 1, and less for dense screens) is not by the author of the picture.
  const look = () => {
    if (picture.naturalWidth > 1) return;
    figure.className = 'picture drawn';
    picture.alt = '';
    figure.querySelector('figcaption')?.remove();
  };
  picture.addEventListener('load', look);
  if (picture.complete) look();
}
const worker = document.querySelector('link[rel=x-service-worker]');
if (worker && navigator.serviceWorker) navigator.serviceWorker.register(worker.href).catch(() => {});
for (const box of document.querySelectorAll('.timetable')) box.scrollLeft = Number(box.dataset.from || 0);
`;
