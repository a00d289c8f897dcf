import type { NotificationKind } from '../../../contract/account/notifications.ts'
import type { NotificationFacts } from './notification-data.ts'
import type { EmailContent } from './email-content.ts'
import { UTC_FORMATS, type ZonedFormats } from './email-format.ts'
import {
  buildInvoiceEmail,
  buildCardExpiryEmail,
  buildChargeFailedEmail,
  buildPlanEndedEmail,
  buildRefundFailedEmail,
  buildRenewalEmail,
  buildTrialEndsEmail,
} from './billing-emails.ts'
import {
  buildAccountDeletionEmail,
  buildAccountExistsEmail,
  buildCameraInvitationEmail,
  buildConfirmSignUpEmail,
  buildNewSignInEmail,
  buildPasswordResetEmail,
  buildSharedCameraEmail,
} from './account-emails.ts'

type EmailBuilder<K extends NotificationKind> = (
  facts: NotificationFacts[K],
  formats: ZonedFormats,
  link: string,
) => EmailContent

const EMAIL_BUILDERS: { readonly [K in NotificationKind]: EmailBuilder<K> } = {
  trial_ends: buildTrialEndsEmail,
  renewal_ahead: buildRenewalEmail,
  card_ends: buildCardExpiryEmail,
  charge_failed: buildChargeFailedEmail,
  plan_ended: buildPlanEndedEmail,
  refund_failed: buildRefundFailedEmail,
  bill: buildInvoiceEmail,
  shared_camera: buildSharedCameraEmail,
  camera_invitation: buildCameraInvitationEmail,
  new_sign_in: buildNewSignInEmail,
  password_forgotten: buildPasswordResetEmail,
  confirm_sign_up: buildConfirmSignUpEmail,
  account_exists: buildAccountExistsEmail,
  account_leaves: buildAccountDeletionEmail,
}

/**
 * Returns the content of an email. `formats`: dates in the time zone of the account's home. `link`: URL with a secret
 * token, for the kinds whose email contains one.
 */
export function buildEmail<K extends NotificationKind>(
  kind: K,
  facts: NotificationFacts[K],
  { formats = UTC_FORMATS, link = '' }: { readonly formats?: ZonedFormats; readonly link?: string } = {},
): EmailContent {
  return EMAIL_BUILDERS[kind](facts, formats, link)
}
