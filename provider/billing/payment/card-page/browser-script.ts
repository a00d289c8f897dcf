import { TEST_CARD_NUMBERS } from '../../../../contract/billing/test-cards.ts'
import { CARD_FIELDS, createCardValidator, createCardParser } from './card-validation.ts'

export const CARD_PAGE_SCRIPT_PATH = '/assets/card.js'

/** Delay before the page says that saving takes longer than usual. */
const SLOW_NOTICE_MS = 4000

/**
 * Script of the card page: groups digits, shows the brand, and validates fields before submission. It embeds the source
 * text of the validators of the server.
 */
export const CARD_PAGE_SCRIPT = `'use strict'
const __name = (made) => made
const reader = (${createCardParser.toString()})()
const judge = (${createCardValidator.toString()})(reader, ${JSON.stringify(TEST_CARD_NUMBERS)})
const NAMES = ${JSON.stringify(CARD_FIELDS)}
const form = document.getElementById('card')
const of = (name) => form.elements[name]
const values = () => Object.fromEntries(NAMES.map((name) => [name, of(name).value]))
const brandNames = { visa: 'VISA', mastercard: 'MC', amex: 'AMEX', discover: 'DISC' }
function problemOf(name) {
  const now = new Date()
  return judge.problemOf(name, values(), { year: now.getFullYear(), month: now.getMonth() + 1 })
}
function show(name) {
  const sentence = problemOf(name)
  const line = document.getElementById(name + '-wrong')
  line.querySelector('span').textContent = sentence
  line.hidden = sentence === ''
  if (sentence === '') of(name).removeAttribute('aria-invalid')
  else of(name).setAttribute('aria-invalid', 'true')
  return sentence
}
function showBrand() {
  const brand = reader.brandOf(of('number').value)
  const mark = document.getElementById('mark')
  mark.hidden = brand === ''
  mark.className = 'mark ' + brand
  mark.textContent = brandNames[brand] || ''
  document.getElementById('code-hint').textContent = brand === 'amex' ? '4 digits on the front' : '3 digits on the back'
}
function group() {
  const field = of('number')
  const before = reader.digitsOf(field.value.slice(0, field.selectionStart)).length
  const text = reader.grouped(field.value)
  if (text !== field.value) {
    field.value = text
    let at = 0
    for (let seen = 0; seen < before && at < text.length; at++) if (text[at] !== ' ') seen++
    field.setSelectionRange(at, at)
  }
  showBrand()
}
function showStates() {
  const country = of('country').value
  for (const group of of('state').querySelectorAll('optgroup')) group.hidden = group.disabled = group.dataset.country !== country
  if (of('state').selectedOptions[0]?.parentElement.disabled) of('state').value = ''
}
function summarise() {
  const wrong = NAMES.map((name) => [name, show(name)]).filter(([, sentence]) => sentence !== '')
  const summary = document.getElementById('summary')
  summary.hidden = wrong.length === 0
  if (wrong.length === 0) return true
  const billing = document.getElementById('billing')
  if (billing && wrong.some(([name]) => billing.contains(of(name)))) billing.open = true
  summary.querySelector('p').textContent = judge.summaryOf(wrong.length)
  summary.querySelector('ul').replaceChildren(...wrong.map(([name, sentence]) => {
    const link = Object.assign(document.createElement('a'), { href: '#' + name, textContent: of(name).labels[0].textContent + ': ' + sentence })
    const item = document.createElement('li')
    item.append(link)
    return item
  }))
  summary.focus()
  return false
}
let sending = false
function send(button) {
  sending = true
  if (button) {
    button.setAttribute('aria-disabled', 'true')
    if (button.dataset.busy) button.textContent = button.dataset.busy
  }
  setTimeout(() => { for (const line of document.querySelectorAll('.slow')) line.hidden = false }, ${SLOW_NOTICE_MS})
}
for (const one of document.forms)
  one.addEventListener('submit', (event) => {
    const isCard = one === form && event.submitter?.value !== 'wallet'
    if (sending && event.submitter?.value !== 'leave') return event.preventDefault()
    if (isCard && !summarise()) return event.preventDefault()
    if (event.submitter?.value !== 'leave') send(event.submitter)
  })
addEventListener('pageshow', (event) => event.persisted && location.reload())
if (form) {
  form.noValidate = true
  of('number').addEventListener('input', group)
  of('country').addEventListener('change', showStates)
  for (const name of NAMES) {
    of(name).addEventListener('blur', () => of(name).value !== '' && show(name))
    of(name).addEventListener('input', () => of(name).getAttribute('aria-invalid') && show(name))
  }
  document.getElementById('summary').addEventListener('click', (event) => {
    const link = event.target.closest('a')
    if (!link) return
    event.preventDefault()
    of(link.hash.slice(1)).focus()
  })
  for (const use of document.querySelectorAll('button[data-number]')) {
    use.hidden = false
    use.addEventListener('click', () => {
      of('number').value = use.dataset.number
      if (of('ends').value === '') of('ends').value = '12 / ' + String(new Date().getFullYear() + 2).slice(2)
      of('code').value = '1234'.slice(0, reader.codeLength(use.dataset.number))
      showBrand()
      show('number')
      of('number').focus()
    })
  }
  group()
  showStates()
}
const summary = document.getElementById('summary')
if (summary && !summary.hidden) summary.focus()
`
