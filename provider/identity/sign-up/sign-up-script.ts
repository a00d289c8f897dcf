import { PROBLEM_ICON } from '../two-factor/page-elements.ts'

export const SIGN_UP_SCRIPT_PATH = '/assets/sign-up.js'

/**
 * Script of the sign-up pages: password rule, errors at the fields (before the form loses its password), busy button, countdown until another email, and one check for the
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

const showProblem = (field) => {
  const { valid, valueMissing } = field.validity
  const id = field.id + '-problem'
  const line = document.getElementById(id) || Object.assign(document.createElement('p'), { id, className: 'field-problem' })
  const ids = (field.getAttribute('aria-describedby') || '').split(' ').filter((other) => other && other !== id)
  if (valid) {
    field.removeAttribute('aria-invalid')
    if (ids.length > 0) field.setAttribute('aria-describedby', ids.join(' '))
    else field.removeAttribute('aria-describedby')
    line.remove()
    return
  }
  field.setAttribute('aria-describedby', [id, ...ids].join(' '))
  field.setAttribute('aria-invalid', 'true')
  line.innerHTML = '${PROBLEM_ICON}<span></span>'
  line.lastElementChild.textContent = (valueMissing && field.dataset.missing) || field.dataset.wrong
  if (!line.isConnected) (field.closest('.field') || field).after(line)
}
for (const form of document.querySelectorAll('form[novalidate]')) {
  const fields = [...form.querySelectorAll('[data-wrong]')]
  form.addEventListener('submit', (event) => {
    const wrong = fields.filter((field) => field.willValidate && !field.validity.valid)
    for (const field of fields) if (field.willValidate) showProblem(field)
    if (wrong.length === 0) return
    event.preventDefault()
    wrong[0].focus()
  })
  for (const field of fields)
    field.addEventListener('input', () => field.hasAttribute('aria-invalid') && field.validity.valid && showProblem(field))
}

for (const button of document.querySelectorAll('[data-busy]')) {
  const label = button.textContent
  button.form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
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
