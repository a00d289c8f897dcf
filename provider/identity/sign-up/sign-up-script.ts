export const SIGN_UP_SCRIPT_PATH = '/assets/sign-up.js'

/**
 * Script of the sign-up pages: password rule, busy button, countdown until another email, and one check for the
 * confirmation each time the page gets the focus. Every page works without the script.
 */
export const SIGN_UP_SCRIPT = `'use strict'
const rule = document.querySelector('[data-rule]')
if (rule) {
  const field = document.getElementById(rule.dataset.rule)
  const check = () => rule.classList.toggle('met', field.value.length >= field.minLength)
  field.addEventListener('input', check)
  check()
}

for (const button of document.querySelectorAll('[data-busy]')) {
  const label = button.textContent
  button.form.addEventListener('submit', (event) => {
    if (button.getAttribute('aria-disabled') === 'true') return event.preventDefault()
    button.setAttribute('aria-disabled', 'true')
    button.textContent = button.dataset.busy
  })
  // The browser may restore the page, with the busy button, when the visitor goes back.
  addEventListener('pageshow', () => {
    button.removeAttribute('aria-disabled')
    button.textContent = label
  })
}

const plan = document.querySelector('details.plan')
if (plan) {
  let isPointer = false
  plan.addEventListener('pointerup', () => (isPointer = true))
  plan.addEventListener('keydown', (event) => {
    isPointer = false
    const isDone = event.key === 'Escape' || (event.key === 'Enter' && event.target.name === 'path')
    if (!isDone || !plan.open) return
    event.preventDefault()
    close()
  })
  plan.addEventListener('change', () => isPointer && close())
  const close = () => {
    plan.open = false
    plan.querySelector('summary').focus()
  }
}

const resend = document.querySelector('[data-wait]')
if (resend) {
  const end = performance.now() + 1000 * Number(resend.dataset.wait)
  const label = resend.textContent
  resend.form.addEventListener('submit', (event) => {
    if (resend.getAttribute('aria-disabled') === 'true') event.preventDefault()
    else resend.setAttribute('aria-disabled', 'true')
  })
  const show = () => {
    const seconds = Math.ceil((end - performance.now()) / 1000)
    resend.setAttribute('aria-disabled', String(seconds > 0))
    resend.textContent = seconds > 0 ? label + ' in ' + Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0') : label
    if (seconds > 0) setTimeout(show, 1000)
  }
  show()
}

const status = document.querySelector('[data-status]')
if (status) {
  addEventListener('focus', async () => {
    const answer = await fetch(status.dataset.status).catch(() => null)
    if (answer?.ok && (await answer.json()).confirmed) location.replace(status.dataset.done)
  })
}
`
