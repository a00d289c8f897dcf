import { html } from 'hono/html'
import { TEST_CARDS, TEST_WALLETS, type TestWallet } from '../../../../contract/billing/test-cards.ts'
import { cardValidator, cardParser, type CardProblems } from './card-form-values.ts'
import { ALERT_ICON, CHEVRON_DOWN_ICON, PIN_ICON, WALLET_ICON } from './icons.ts'
import { CARD_FIELDS, type CardField, type CardValues } from './card-validation.ts'
import { COUNTRIES, listStates } from './countries-and-states.ts'

type Html = ReturnType<typeof html>

const LABELS: Readonly<Record<CardField, string>> = {
  number: 'Card number',
  ends: 'Expiration date',
  code: 'Security code',
  name: 'Name on card',
  country: 'Country',
  street: 'Street address',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
}
const BRAND_LABELS: Readonly<Record<string, string>> = {
  visa: 'VISA',
  mastercard: 'MC',
  amex: 'AMEX',
  discover: 'DISC',
}

/**
 * Attributes of each input, except `name`, `value` and error attributes. `pattern` accepts only test card numbers, even
 * without JavaScript.
 */
const INPUT_ATTRIBUTES: Readonly<Partial<Record<CardField, Html>>> = {
  number: html`inputmode="numeric" autocomplete="cc-number" maxlength="23"
  pattern="${TEST_CARDS.map(({ number }) => number.replaceAll(' ', ' ?')).join('|')}" title="One of the test cards
  below"`,
  ends: html`inputmode="numeric" autocomplete="cc-exp" maxlength="9" placeholder="MM / YY"`,
  code: html`inputmode="numeric" autocomplete="cc-csc" maxlength="4"`,
  name: html`autocomplete="cc-name" maxlength="80"`,
  street: html`autocomplete="billing address-line1" maxlength="120"`,
  city: html`autocomplete="billing address-level2" maxlength="80"`,
  zip: html`autocomplete="billing postal-code" maxlength="10"`,
}

interface CardFormState {
  readonly values: CardValues
  readonly problems: CardProblems
}

function renderField(
  name: CardField,
  { values, problems }: CardFormState,
  options: { box?: Html; hint?: string; width?: string } = {},
) {
  const { box = renderInput(name, { values, problems }), hint, width = '' } = options
  const problem = problems[name] ?? ''
  return html`<div class="field ${width}">
    <label for="${name}">${LABELS[name]}</label>
    <div class="box">${box}</div>
    <p class="wrong" id="${name}-wrong" ${problem === '' ? html`hidden` : ''}>${ALERT_ICON}<span>${problem}</span></p>
    ${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`
}

const renderDescribedByAttributes = (name: CardField, { problems }: CardFormState, hint = '') =>
  html`aria-describedby="${name}-wrong${hint}"${problems[name] === undefined ? '' : html` aria-invalid="true"`}`

/** Renders an input. Leaves number and security code empty, because browsers may store pages. */
function renderInput(name: CardField, formState: CardFormState): Html {
  const value = name === 'number' || name === 'code' ? '' : formState.values[name]
  return html`<input
    id="${name}"
    name="${name}"
    type="${name === 'code' ? 'password' : 'text'}"
    value="${value}"
    required
    ${INPUT_ATTRIBUTES[name] ?? ''}
    ${renderDescribedByAttributes(name, formState, name === 'code' ? ' code-hint' : '')}
  />`
}

function renderCountrySelect(formState: CardFormState): Html {
  const chosen = formState.values.country || 'US'
  return html`<select
      id="country"
      name="country"
      autocomplete="billing country"
      required
      ${renderDescribedByAttributes('country', formState)}
    >
      ${Object.entries(COUNTRIES).map(
        ([code, name]) => html`<option value="${code}" ${code === chosen ? html`selected` : ''}>${name}</option>`,
      )}</select
    >${CHEVRON_DOWN_ICON}`
}

function renderStateSelect(formState: CardFormState): Html {
  const group = (country: keyof typeof COUNTRIES) =>
    html`<optgroup label="${COUNTRIES[country]}" data-country="${country}">
      ${listStates(country).map(
        (code) =>
          html`<option value="${code}" ${code === formState.values.state ? html`selected` : ''}>${code}</option>`,
      )}
    </optgroup>`
  return html`<select
      id="state"
      name="state"
      autocomplete="billing address-level1"
      required
      ${renderDescribedByAttributes('state', formState)}
    >
      <option value=""></option>
      ${group('US')}${group('CA')}</select
    >${CHEVRON_DOWN_ICON}`
}

function renderErrorSummary({ problems }: CardFormState): Html {
  const invalidFields = CARD_FIELDS.filter((name) => problems[name] !== undefined)
  return html`<div
    class="summary"
    id="summary"
    role="alert"
    tabindex="-1"
    ${invalidFields.length === 0 ? html`hidden` : ''}
  >
    ${ALERT_ICON}
    <div>
      <p>${cardValidator.summaryOf(invalidFields.length)}</p>
      <ul>
        ${invalidFields.map((name) => html`<li><a href="#${name}">${LABELS[name]}: ${problems[name]}</a></li>`)}
      </ul>
    </div>
  </div>`
}

const renderWalletForm = (wallet: TestWallet, button: Html) =>
  html`<form method="post" action="/card"><input type="hidden" name="wallet" value="${wallet.id}" />${button}</form>`

const ADDRESS_FIELDS = ['country', 'street', 'city', 'state', 'zip'] as const satisfies readonly CardField[]

const renderAddressFields = (formState: CardFormState) =>
  html`${renderField('country', formState, { box: renderCountrySelect(formState) })} ${renderField('street', formState)}
  ${renderField('city', formState, { width: 'city' })}
  ${renderField('state', formState, { box: renderStateSelect(formState), width: 'half state' })}
  ${renderField('zip', formState, { width: 'half zip' })}`

/** Renders the stored address as one row, whose fields open in place. Fields with errors are open. */
function renderStoredAddress(formState: CardFormState): Html {
  const { street, city, state, zip } = formState.values
  const hasProblem = ADDRESS_FIELDS.some((name) => formState.problems[name] !== undefined)
  return html`<details class="stored" id="billing" ${hasProblem ? html`open` : ''}>
    <summary>
      ${PIN_ICON}<span><b>Billing address</b>${street}, ${city}, ${state} ${zip}</span><span class="edit">Edit</span>
    </summary>
    <div class="fields">${renderAddressFields(formState)}</div>
  </details>`
}

/**
 * `hasStoredAddress`: true if the values contain the address of a stored card. `amount`: amount that the buyer pays
 * after the card page, formatted; absent if the card is only stored.
 */
export function renderCardForm(formState: CardFormState, hasStoredAddress: boolean, amount?: string): Html {
  const brand = cardParser.brandOf('')
  const number = html`${renderInput('number', formState)}<span id="mark" class="mark ${brand}" hidden
      >${BRAND_LABELS[brand] ?? ''}</span
    >`
  return html`<section class="panel form" aria-label="Wallet or card">
    ${renderWalletForm(
      TEST_WALLETS[0],
      html`<button class="wallet" name="do" value="wallet">${WALLET_ICON}Use a wallet instead</button>`,
    )}
    <p class="or">or a card</p>
    <form id="card" method="post" action="/card" autocomplete="on">
      ${renderErrorSummary(formState)}
      <div class="fields">
        ${renderField('number', formState, { box: number })} ${renderField('ends', formState, { width: 'half' })}
        ${renderField('code', formState, { width: 'half', hint: '3 digits on the back' })}
        ${renderField('name', formState)}
        ${
          hasStoredAddress
            ? renderStoredAddress(formState)
            : html`<h2>Billing address</h2>
                ${renderAddressFields(formState)}`
        }
      </div>
      <button class="primary" name="do" value="save" data-busy="Saving…">
        ${amount === undefined ? 'Save card' : 'Save card and continue'}
      </button>
      <p class="slow" role="status" hidden>Still waiting for your bank. If you leave this page, no card is added.</p>
      <p class="hint mid">
        ${amount === undefined ? '' : `Next: review and pay ${amount}. `}You won’t be charged on this page.
      </p>
    </form>
  </section>`
}

export function renderTestCards(): Html {
  const row = (title: string, does: string, use: Html) =>
    html`<li>
      <div><strong>${title}</strong><span>${does}</span></div>
      ${use}
    </li>`
  return html`<details class="panel tests">
    <summary>
      <b>Test cards</b><i>local only</i>${CHEVRON_DOWN_ICON}<span
        >No real charges are made. Use any future date and any security code.</span
      >
    </summary>
    <ul>
      ${TEST_CARDS.map(({ number, does }) =>
        row(
          number,
          does,
          html`<button class="link" type="button" data-number="${number}" aria-label="Use ${number}" hidden>
            Use
          </button>`,
        ),
      )}
      ${TEST_WALLETS.map((wallet) =>
        row(
          wallet.name,
          wallet.does,
          renderWalletForm(
            wallet,
            html`<button class="link" name="do" value="wallet" aria-label="Use ${wallet.name}">Use</button>`,
          ),
        ),
      )}
    </ul>
  </details>`
}
