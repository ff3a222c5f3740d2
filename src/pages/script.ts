/**
 * The one script of the pages, which all work without it: buttons that copy what stands beside them, forms that are
 * sent once, and keys that press buttons. It runs in browsers, as it stands here.
 */
export const script = `for (const button of document.querySelectorAll('button[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) continue;
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = button.dataset.copied;
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = button.dataset.selected;
    }
    setTimeout(() => { button.textContent = label; }, 3000);
  });
}
for (const form of document.forms) {
  form.addEventListener('submit', () => {
    setTimeout(() => { for (const button of form.querySelectorAll('button')) button.disabled = true; });
  });
}
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest && event.target.closest('input, textarea, select')) return;
  const button = document.querySelector('button[data-key="' + CSS.escape(event.key.toLowerCase()) + '"]');
  if (button && !button.disabled) button.click();
});
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('button')) button.disabled = false;
});
`;
