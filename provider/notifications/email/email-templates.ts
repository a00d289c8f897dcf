import type { MessageKind } from '../../../contract/account/notifications.ts'
import type { Facts } from './notification-data.ts'
import type { EmailContent } from './email-content.ts'
import { bill, cardEnds, chargeFailed, planEnded, refundFailed, renewalAhead, trialEnds } from './billing-emails.ts'
import { accountLeaves, newSignIn, buildPasswordResetEmail, sharedCamera } from './account-emails.ts'

type Writer<K extends MessageKind> = (facts: Facts[K], link: string) => EmailContent

const WRITERS: { readonly [K in MessageKind]: Writer<K> } = {
  trial_ends: trialEnds,
  renewal_ahead: renewalAhead,
  card_ends: cardEnds,
  charge_failed: chargeFailed,
  plan_ended: planEnded,
  refund_failed: refundFailed,
  bill,
  shared_camera: sharedCamera,
  new_sign_in: newSignIn,
  password_forgotten: buildPasswordResetEmail,
  account_leaves: accountLeaves,
}

/** Returns the content of an email. `link` is the password reset link; only that kind of email has one. */
export function buildEmail<K extends MessageKind>(kind: K, facts: Facts[K], link = ''): EmailContent {
  return WRITERS[kind](facts, link)
}
