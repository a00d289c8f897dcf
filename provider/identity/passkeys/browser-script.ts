export const PASSKEY_SCRIPT_PATH = '/assets/passkeys.js'

/**
 * Script that shows the passkey forms if the browser supports passkeys. On submit, it passes the options in
 * `data-passkey` to the browser, and sends the response in the field `credential`.
 */
export const PASSKEY_SCRIPT = `'use strict'
const words = {
  InvalidStateError: 'This device already has a passkey for this account.',
  NotAllowedError: 'The passkey request wasn’t completed. Try again or continue without a passkey.',
}
const able = window.PublicKeyCredential && PublicKeyCredential.parseRequestOptionsFromJSON && PublicKeyCredential.parseCreationOptionsFromJSON
async function credentialFor({ ceremony, passkey }) {
  const options = JSON.parse(passkey)
  if (ceremony === 'create') return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
}
for (const form of able ? document.querySelectorAll('form[data-passkey]') : []) {
  const said = form.querySelector('.problem')
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    said.hidden = true
    try {
      form.elements.credential.value = JSON.stringify(await credentialFor(form.dataset))
      form.submit()
    } catch (error) {
      said.lastElementChild.textContent = words[error.name] || 'This browser couldn’t use a passkey. Try another browser.'
      said.hidden = false
    }
  })
}
if (able) for (const other of document.querySelectorAll('[data-unable]')) other.hidden = true
`
