import { html } from 'hono/html'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { ACCOUNT_DELETION_DAYS, ACCOUNT_DELETION_PATH } from '../../../contract/account/account-deletion.ts'
import { formatBalanceSentence, formatPlanSentences } from '../../accounts/deletion/closing-amounts.ts'
import { formatFullDay } from '../../notifications/email/email-format.ts'
import { passwordField, errorMessage } from '../pages/form-fields.ts'
import { renderAccountPage, type PageAccount } from '../pages/account-page-frame.ts'
import { passkeySignInForm, type PasskeyRequest } from '../passkeys/passkey-forms.ts'
import type { DeletionSummary } from './deletion-summary.ts'

const TITLE = 'Delete my account'
/**
 * Sentence for an account with canceled plans that have not ended. Undoing the deletion does not reactivate these
 * plans.
 */
export const PLANS_STAY_CANCELED_MESSAGE =
  'Canceled plans stay canceled. Under Services, you can undo a cancellation while the plan is active, or subscribe again.'
/** Returns true if the account has plans that the deletion cancels, or canceled plans that have not ended. */
export const hasPlans = ({ closing }: DeletionSummary): boolean => closing.plans.length > 0

const formatCameras = (cameras: number) => (cameras === 1 ? 'Your camera' : `Your ${cameras} cameras`)

function deletionFacts(summary: DeletionSummary, deletionAt: number) {
  const deletedData = `${summary.cameras === 0 ? 'Your ' : `${formatCameras(summary.cameras)}, `}clips, searches, shares, and activity`
  return html`<section class="card">
    <h2>What happens</h2>
    <dl class="facts">
      <div>
        <dt>Now</dt>
        <dd>${formatPlanSentences(summary.closing).join(' ')} You’ll be logged out on all other devices.</dd>
      </div>
      <div>
        <dt>For ${ACCOUNT_DELETION_DAYS} days</dt>
        <dd>
          You can log in and undo the deletion. Everything else stays the
          same${hasPlans(summary) ? ', but canceled plans stay canceled.' : '.'}
        </dd>
      </div>
      <div>
        <dt>On ${formatFullDay(deletionAt)}</dt>
        <dd>
          ${deletedData} will be permanently deleted.
          ${summary.sharedHomes === 0 ? '' : 'Homes that you co-own stay with the other owner.'}
          ${formatBalanceSentence(summary.closing)}
        </dd>
      </div>
      <div>
        <dt>Kept</dt>
        <dd>Your invoices, without your name, address, and card. We’re required to keep them.</dd>
      </div>
    </dl>
  </section>`
}

export interface DeletionPageData {
  readonly pageAccount: PageAccount
  readonly facts: DeletionSummary
  /** Time at which the account is deleted, ms UTC. */
  readonly deletionAt: number
  readonly error: string | null
}

function codeField(invalid: boolean) {
  return html`<label for="code">Verification code or recovery code</label>
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
 * Renders step 1, re-authentication. `hasFactor`: true to also ask for a code. `passkey`: request for a passkey form,
 * which is an alternative to password and code; null for no passkey form.
 */
export function reauthenticationPage(
  { pageAccount, facts: summary, deletionAt, error }: DeletionPageData,
  { hasFactor, passkey }: { readonly hasFactor: boolean; readonly passkey: PasskeyRequest | null },
): string {
  const invalid = error !== null
  const content = html`<div class="cards two">
    ${deletionFacts(summary, deletionAt)}
    <section class="card">
      <h2>Confirm it’s you</h2>
      <p>This protects you if your screen was left open. We’ll ask once more before anything is deleted.</p>
      <form method="post" action="${ACCOUNT_DELETION_PATH}" novalidate>
        ${errorMessage(error)}<input type="hidden" name="email" value="${pageAccount.email}" autocomplete="username" />
        ${passwordField('password', 'Your password', {
          autocomplete: 'current-password',
          problem: error === null ? null : { field: null, message: error },
          focus: invalid,
        })}
        ${hasFactor ? codeField(invalid) : ''}
        <button class="primary" name="step" value="prove">Continue</button>
      </form>
      ${passkey === null ? '' : passkeySignInForm(ACCOUNT_DELETION_PATH, passkey)}
    </section>
  </div>`
  return renderAccountPage(
    TITLE,
    `You’re about to delete the account for ${pageAccount.email}. You’ll have ${ACCOUNT_DELETION_DAYS} days to undo this.`,
    pageAccount,
    content,
  )
}

/** Renders step 2: the consequences and the delete button. `ticket`: proof of the re-authentication. */
export function confirmDeletionPage(
  { pageAccount, facts: summary, deletionAt }: DeletionPageData,
  ticket: string,
): string {
  const content = html`<div class="cards two">
    ${deletionFacts(summary, deletionAt)}
    <section class="card">
      <h2>Delete ${pageAccount.email}?</h2>
      <p>
        Download your clips and invoices first if you want to keep them. After ${formatFullDay(deletionAt)}, no one can
        recover them.
      </p>
      <form method="post" action="${ACCOUNT_DELETION_PATH}">
        <input type="hidden" name="ticket" value="${ticket}" />
        <button class="secondary danger" name="step" value="delete">Delete my account</button>
      </form>
      <a class="secondary other" href="${pageAccount.portalOrigin}/account/activity">Keep my account</a>
    </section>
  </div>`
  return renderAccountPage(
    'Delete your account?',
    `You have ${ACCOUNT_DELETION_DAYS} days to undo the deletion.`,
    pageAccount,
    content,
  )
}

export function pendingDeletionPage({
  pageAccount,
  facts: summary,
  deletionAt,
}: Omit<DeletionPageData, 'error'>): string {
  const plans = hasPlans(summary) ? PLANS_STAY_CANCELED_MESSAGE : ''
  const content = html`<div class="cards one">
    <section class="card">
      <h2>Changed your mind?</h2>
      <p role="status">Until then, you can log in and nothing else changes. ${plans}</p>
      <form method="post" action="${ACCOUNT_DELETION_PATH}">
        <button class="primary" name="step" value="undo">Keep my account</button>
      </form>
    </section>
  </div>`
  return renderAccountPage(
    `Your account will be deleted on ${formatFullDay(deletionAt)}`,
    'We won’t charge you again.',
    pageAccount,
    content,
  )
}

export function deletionMessagePage(title: string, sentence: string, pageAccount: PageAccount): string {
  return renderAccountPage(
    title,
    sentence,
    pageAccount,
    html`<a class="primary" href="${pageAccount.portalOrigin}/live">Go to ${BRAND_NAME}</a>`,
  )
}
