/**
 * The one script of the pages, which all work without it: buttons that copy what stands beside them, and forms that are
 * sent once. It runs in browsers, as it stands here.
 */
export const script = `for (const button of document.querySelectorAll('button[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) continue;
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected: press Ctrl+C';
    }
    setTimeout(() => { button.textContent = label; }, 3000);
  });
}
for (const form of document.forms) {
  form.addEventListener('submit', () => {
    setTimeout(() => { for (const button of form.querySelectorAll('button')) button.disabled = true; });
  });
}
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('button')) button.disabled = false;
});
`;
