import { BRAND_NAME } from '../../../contract/brand.ts'
import type { NotificationFacts } from './notification-data.ts'
import type { EmailContent } from './email-content.ts'
import { toOneLine, formatClient, type ZonedFormats } from './email-format.ts'

const ACTIVITY_PATH = '/account/activity'
const OVERVIEW_PATH = '/account'

const SECURITY_EMAIL_DEFAULTS = { lines: [], more: [], small: null, about: 'safety' } as const
/** Shortens a name that another person chose, so that this person cannot write a message into the email. */
const shortenName = (text: string) => toOneLine(text).slice(0, 40) || 'a camera'

export function buildSharedCameraEmail(
  { camera, others, owner, at }: NotificationFacts['shared_camera'],
  { formatDay, formatFullDay }: ZonedFormats,
): EmailContent {
  const names = [camera, ...others].map(shortenName)
  const ownerEmail = toOneLine(owner)
  const isSingle = others.length === 0
  const buttonLabel = isSingle ? 'Open camera' : 'Open cameras'
  return {
    subject: `${ownerEmail} shared ${isSingle ? 'a camera' : `${names.length} cameras`} with you`,
    title: isSingle ? 'A camera was shared with you' : `${names.length} cameras were shared with you`,
    text: `${ownerEmail} shared ${isSingle ? `“${names[0]}”` : `${names.length} cameras`} with you on ${formatFullDay(at)}.`,
    lines: names.map((label) => ({ label, hint: `Shared by ${ownerEmail}`, value: formatDay(at) })),
    more: [],
    buttons: [{ label: buttonLabel, to: '/live' }],
    action: { label: buttonLabel, path: '/live' },
    small: 'No action needed. The owner can see what you watch.',
    about: 'news',
  }
}

/**
 * Builds the invitation to shared cameras for an address without an account. `link`: URL that confirms the address.
 * Only the email contains this URL.
 */
export function buildCameraInvitationEmail(
  { camera, others, owner, until }: NotificationFacts['camera_invitation'],
  { formatMoment }: ZonedFormats,
  link: string,
): EmailContent {
  const names = [camera, ...others].map(shortenName)
  const ownerEmail = toOneLine(owner)
  const title = `${ownerEmail} shared ${others.length === 0 ? names[0] : `${names.length} cameras`} with you`
  return {
    ...SECURITY_EMAIL_DEFAULTS,
    subject: title,
    title,
    lines: others.length === 0 ? [] : names.map((label) => ({ label })),
    text: `Create an account to watch. This link works once and expires on ${formatMoment(until)}.`,
    more: [`If you don’t know ${ownerEmail}, ignore this email. No account will be created unless you use the link.`],
    buttons: [{ label: 'Create account', to: link }],
    action: null,
    small: 'The owner can see what you watch.',
  }
}

export function buildNewSignInEmail(
  facts: NotificationFacts['new_sign_in'],
  { formatDay, formatMoment }: ZonedFormats,
): EmailContent {
  const client = formatClient(facts)
  const activityButton = { label: 'View activity', to: ACTIVITY_PATH }
  return {
    ...SECURITY_EMAIL_DEFAULTS,
    subject: `New login on ${formatDay(facts.at)}: ${toOneLine(facts.device)}`,
    title: `New login: ${toOneLine(facts.device)}`,
    // The list shows the time beside this text, and the email shows it in the summary panel.
    text: `We noticed a login to your account from a new browser: ${toOneLine(client)}.`,
    lines: [{ label: toOneLine(client), hint: formatMoment(facts.at) }],
    more: [
      'If this was you, no action is needed.',
      'If this wasn’t you, choose “Log out all other devices” under Activity and change your password.',
    ],
    buttons: [activityButton],
    action: { label: activityButton.label, path: activityButton.to },
  }
}

/**
 * Builds the password reset email. `link`: URL of the page for the new password. Only the email contains this URL, not
 * the notification in the account's list.
 */
export function buildPasswordResetEmail(
  facts: NotificationFacts['password_forgotten'],
  { formatMoment }: ZonedFormats,
  link: string,
): EmailContent {
  return {
    ...SECURITY_EMAIL_DEFAULTS,
    subject: `Reset your ${BRAND_NAME} password`,
    title: 'Reset your password',
    text: `Someone requested a password reset for your account (${toOneLine(formatClient(facts))}). The link works once and expires on ${formatMoment(facts.until)}.`,
    more: ['Your current password keeps working until you choose a new one. If this wasn’t you, ignore this email.'],
    buttons: [{ label: 'Reset password', to: link }],
    action: null,
    small:
      'Resetting your password logs you out on all devices. If two-step verification is on, you’ll still need a verification code.',
  }
}

/**
 * Builds the email that confirms the address of a new account. `link`: URL of the page that creates the account. Only
 * the email contains this URL.
 */
export function buildConfirmSignUpEmail(
  { until }: NotificationFacts['confirm_sign_up'],
  { formatMoment }: ZonedFormats,
  link: string,
): EmailContent {
  return {
    ...SECURITY_EMAIL_DEFAULTS,
    subject: `Confirm your email for ${BRAND_NAME}`,
    title: 'Confirm your email',
    text: `Confirm this address to create your ${BRAND_NAME} account. The link expires on ${formatMoment(until)}.`,
    more: ['If you didn’t sign up, ignore this email. No account will be created unless you use the link.'],
    buttons: [{ label: 'Confirm email', to: link }],
    action: null,
  }
}

export function buildAccountExistsEmail(
  facts: NotificationFacts['account_exists'],
  { formatMoment }: ZonedFormats,
): EmailContent {
  return {
    ...SECURITY_EMAIL_DEFAULTS,
    subject: `You already have a ${BRAND_NAME} account`,
    title: 'You already have an account',
    text: `Someone tried to create an account with your email on ${formatMoment(facts.at)} (${toOneLine(formatClient(facts))}).`,
    more: [
      'If this was you, log in instead. If you don’t remember your password, reset it on the login page.',
      'If this wasn’t you, ignore this email. Your account hasn’t changed.',
    ],
    buttons: [{ label: 'Log in', to: '/live' }],
    action: null,
  }
}

export function buildAccountDeletionEmail(
  { until, money }: NotificationFacts['account_leaves'],
  { formatDay, formatFullDay }: ZonedFormats,
): EmailContent {
  const undoButton = { label: 'Keep my account', to: OVERVIEW_PATH }
  return {
    ...SECURITY_EMAIL_DEFAULTS,
    subject: `Your account will be deleted on ${formatDay(until)}`,
    title: `Your account will be deleted on ${formatDay(until)}`,
    text: `You asked ${BRAND_NAME} to delete your account. Until ${formatFullDay(until)}, you can log in and undo the deletion.`,
    lines: [{ label: 'Permanent deletion', value: formatFullDay(until) }],
    more: [...money, 'If this wasn’t you, log in, undo the deletion, and change your password.'],
    buttons: [undoButton],
    action: { label: undoButton.label, path: undoButton.to },
  }
}
