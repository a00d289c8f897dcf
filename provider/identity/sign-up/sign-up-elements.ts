import { html, raw } from 'hono/html'
import { SUPPORT_ADDRESS } from '../../../contract/brand.ts'
import { providerPage } from '../pages/page-layout.ts'
import { icon } from '../two-factor/page-elements.ts'
import { listPlanChoices, type PlanChoice } from './sign-up-plan.ts'
import { SIGN_UP_SCRIPT_PATH } from './sign-up-script.ts'

type Html = ReturnType<typeof html>

export const MAIL_ICON = icon('<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="m4 7.500 8 6 8-6"/>')
export const MAIL_CHECK_ICON = icon(
  '<path d="M21.500 12V7.500A2.500 2.500 0 0 0 19 5H5a2.500 2.500 0 0 0-2.500 2.500v9A2.500 2.500 0 0 0 5 19h7"/><path d="m3.500 7 8.500 6.500L20.500 7"/><path d="m15.500 18.500 2 2 4-4"/>',
)
export const INFO_ICON = icon('<circle cx="12" cy="12" r="9"/><path d="M12 11v5M12 8v.01"/>')
const CAMERA_ICON = icon(
  '<path d="m5.500 4.500 13 5.500a1.500 1.500 0 0 1 .8 2l-1.800 4a1.500 1.500 0 0 1-2 .8l-13-5.600z"/><path d="M6.500 8.500v.01M7 14.500 5.500 18H2.500m0-2.500v5"/>',
)
const SAVED_ICON = icon('<path d="M6 3.500h12v17l-6-4-6 4z"/><path d="m9.500 9.500 2 2 3.500-3.500"/>')

const WELCOME_TITLE = 'Turn the light on.'
const WELCOME_TEXT = 'Live video, a full-day timeline, and search in your own words.'

/** Renders a page of the sign-up. */
export function signUpPage(title: string, content: Html, portalOrigin: string): string {
  const footer = html`<br /><a href="mailto:${SUPPORT_ADDRESS}">Help</a><a href="${portalOrigin}/privacy">Privacy</a>`
  const script = raw(`<script src="${SIGN_UP_SCRIPT_PATH}" defer></script>`)
  return providerPage(
    title,
    html`<div class="sign-up">${content}</div>
      ${script}`,
    WELCOME_TEXT,
    footer,
    WELCOME_TITLE,
  )
}

export const bottomLink = (question: string, href: string) =>
  html`<p class="again">${question} <a href="${href}">Log in</a></p>`

const renderPlan = ({ name, price, unit }: PlanChoice) =>
  html`<strong>${name}</strong><span><b>${price}</b> ${unit}</span>`

/**
 * Renders the chosen plan, with the other plans behind "Change". The style sheet shows the selected plan in the
 * closed summary, so that the choice works without a script. The open list shows each plan once.
 */
export function planCard(chosen: PlanChoice) {
  const choices = listPlanChoices(chosen)
  return html`<details class="plan">
    <summary class="plan-card">
      <span class="tile">${CAMERA_ICON}</span>
      ${choices.map((plan, n) => html`<span class="plan-words picked-${n}">${renderPlan(plan)}</span>`)}
      <strong class="while-open">Choose a plan</strong>
      <span class="change while-closed">Change</span><span class="change while-open">Close</span>
    </summary>
    <fieldset>
      <legend>Plan</legend>
      ${choices.map(
        (plan, n) =>
          html`<label class="plan-choice">
            <input type="radio" name="path" id="plan-${n}" value="${plan.path}" ${plan === chosen ? 'checked' : ''} />
            <span class="plan-words">${renderPlan(plan)}</span>
          </label>`,
      )}
    </fieldset>
  </details>`
}

export const invitationCard = (sentence: string) =>
  html`<div class="plan-card invitation"><span class="tile">${CAMERA_ICON}</span><strong>${sentence}</strong></div>`

/** Says that the chosen plan is not lost; nothing if no plan was chosen. */
export function planNote(plan: PlanChoice | null) {
  if (plan === null) return ''
  return html`<p class="saved">
    ${SAVED_ICON}<span><b>${plan.name}, ${plan.rate}, is saved.</b> You’ll review the price after you confirm.</span>
  </p>`
}

export const renderNote = (symbol: ReturnType<typeof raw>, sentence: string) =>
  html`<p class="note-line">${symbol}<span>${sentence}</span></p>`
