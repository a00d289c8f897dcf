import { html } from 'hono/html'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { LEAVE_DAYS, LEAVE_PATH } from '../../../contract/account/account-deletion.ts'
import { balanceSentence, planSentences } from '../../accounts/deletion/closing-amounts.ts'
import { formatFullDay } from '../../notifications/email/email-format.ts'
import { passwordField, problem } from '../pages/form-fields.ts'
import { framed, type PageAccount } from '../pages/account-page-frame.ts'
import { signInByPasskeyForm, type PasskeyAsk } from '../passkeys/passkey-forms.ts'
import type { LeaveFacts } from './deletion-summary.ts'

const TITLE = 'Delete my account'
/** Shown if the account had a plan when it was deleted. */
export const PLANS_STAY = 'Plans stay cancelled: take that back under Services while they run, or choose one again.'
/** Returns true if deleting the account cancels plans. */
export const endsPlans = ({ closing }: LeaveFacts): boolean => closing.plans.length > 0

const formatCameras = (cameras: number) => (cameras === 1 ? 'Your camera' : `Your ${cameras} cameras`)

/** Renders the facts that each step shows. `until`: time of the deletion, ms UTC. */
function facts(of: LeaveFacts, until: number) {
  const things = `${of.cameras === 0 ? 'Your ' : `${formatCameras(of.cameras)}, `}clips, searches, shares and sign-ins`
  return html`<section class="card">
    <h2>What happens</h2>
    <dl class="facts">
      <div>
        <dt>Now</dt>
        <dd>${planSentences(of.closing).join(' ')} Every other device is signed out.</dd>
      </div>
      <div>
        <dt>For ${LEAVE_DAYS} days</dt>
        <dd>
          You can sign in and undo it. All else is as it
          was${endsPlans(of) ? '; a cancelled plan stays cancelled.' : '.'}
        </dd>
      </div>
      <div>
        <dt>On ${formatFullDay(until)}</dt>
        <dd>
          ${things} are removed for good.
          ${of.sharedHomes === 0 ? '' : 'A home that somebody else owns too stays theirs.'}
          ${balanceSentence(of.closing)}
        </dd>
      </div>
      <div>
        <dt>Kept</dt>
        <dd>Your bills, without your name, address and card, because they have to be kept.</dd>
      </div>
    </dl>
  </section>`
}

export interface DeletionPageData {
  readonly whose: PageAccount
  readonly facts: LeaveFacts
  /** ms UTC */
  readonly until: number
  readonly error: string | null
}

function codeField(invalid: boolean) {
  return html`<label for="code">Code of your authenticator app, or a recovery code</label>
    <input
      id="code"
      name="code"
      type="text"
      autocomplete="one-time-code"
      autocapitalize="characters"
      spellcheck="false"
      required
      maxlength="40"
      ${invalid ? html` aria-describedby="problem"` : ''}
    />`
}

/**
 * Step 1: re-authentication. `hasFactor`: the page also asks for a code; `passkey`: alternative to password and code.
 */
export function reauthenticationPage(
  { whose: pageAccount, facts: of, until, error }: DeletionPageData,
  { hasFactor, passkey }: { readonly hasFactor: boolean; readonly passkey: PasskeyAsk | null },
): string {
  const invalid = error !== null
  const content = html`<div class="cards two">
    ${facts(of, until)}
    <section class="card">
      <h2>First sign in again</h2>
      <p>So that nobody deletes it at a screen that was left open. You are asked once more after this.</p>
      <form method="post" action="${LEAVE_PATH}">
        ${problem(error)}<input type="hidden" name="email" value="${pageAccount.email}" autocomplete="username" />
        ${passwordField('password', 'Your password', { autocomplete: 'current-password', invalid })}
        ${hasFactor ? codeField(invalid) : ''}
        <button class="primary" name="step" value="prove">Go on</button>
      </form>
      ${passkey === null ? '' : signInByPasskeyForm(LEAVE_PATH, passkey)}
    </section>
  </div>`
  return framed(TITLE, `Of ${pageAccount.email}. You have ${LEAVE_DAYS} days to undo it.`, pageAccount, content)
}

/** Step 2: shows the facts again, and the delete button. `ticket` proves the re-authentication. */
export function confirmPage({ whose: pageAccount, facts: of, until }: DeletionPageData, ticket: string): string {
  const content = html`<div class="cards two">
    ${facts(of, until)}
    <section class="card">
      <h2>Delete ${pageAccount.email}?</h2>
      <p>
        Take your clips and bills with you first, if you want them: after ${formatFullDay(until)} nobody can give them
        to you.
      </p>
      <form method="post" action="${LEAVE_PATH}">
        <input type="hidden" name="ticket" value="${ticket}" />
        <button class="secondary danger" name="step" value="delete">Delete my account</button>
      </form>
      <a class="secondary other" href="${pageAccount.portalOrigin}/account/activity">Keep my account</a>
    </section>
  </div>`
  return framed('Delete my account for good?', `You have ${LEAVE_DAYS} days to undo it.`, pageAccount, content)
}

/** Page while deletion is pending: its date, and undo. */
export function leavingPage({ whose: pageAccount, facts: of, until }: Omit<DeletionPageData, 'error'>): string {
  const plans = endsPlans(of) ? PLANS_STAY : ''
  const content = html`<div class="cards one">
    <section class="card">
      <h2>Undo it</h2>
      <p role="status">Until then you can sign in, and all else is as it was. ${plans}</p>
      <form method="post" action="${LEAVE_PATH}">
        <button class="primary" name="step" value="undo">Keep my account</button>
      </form>
    </section>
  </div>`
  return framed(
    `Your account is deleted on ${formatFullDay(until)}`,
    'Nothing is charged any more.',
    pageAccount,
    content,
  )
}

/** Renders one sentence about the result or the error, with a link onward. */
export function leaveSentencePage(title: string, sentence: string, pageAccount: PageAccount): string {
  return framed(
    title,
    sentence,
    pageAccount,
    html`<a class="primary" href="${pageAccount.portalOrigin}/live">Go to ${BRAND_NAME}</a>`,
  )
}
