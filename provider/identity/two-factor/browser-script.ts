export const TWO_FACTOR_SCRIPT_PATH = '/assets/two-factor.js'

/**
 * Script that shows the buttons to copy the key and to copy or print the recovery codes. Without the script, or without
 * access to the clipboard, these buttons stay hidden.
 */
export const TWO_FACTOR_SCRIPT = `'use strict'
for (const button of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  const label = button.querySelector('span')
  const text = label.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(button.dataset.copy).then(() => true, () => false)
    label.textContent = isCopied ? 'Copied' : 'Couldn’t copy'
    setTimeout(() => (label.textContent = text), 3000)
  })
}
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
  for (const hint of document.querySelectorAll('[data-unprintable]')) hint.hidden = true
}
`
