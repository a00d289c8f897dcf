import { BRAND_NAME } from '../../../contract/brand.ts'
import type { NotificationFacts } from './notification-data.ts'
import type { EmailContent } from './email-content.ts'
import { formatDay, formatFullDay, formatMoment, toOneLine, formatClient } from './email-format.ts'

const ACTIVITY_PATH = '/account/activity'
const OVERVIEW_PATH = '/account'

const SECURITY_EMAIL_DEFAULTS = { lines: [], more: [], small: null, about: 'safety' } as const
/** Shortens a name that another person chose, so that this person cannot write a message into the email. */
const shortenName = (text: string) => toOneLine(text).slice(0, 40) || 'a camera'

export function buildSharedCameraEmail({ camera, owner, at }: NotificationFacts['shared_camera']): EmailContent {
  const [name, ownerEmail] = [shortenName(camera), toOneLine(owner)]
  return {
    subject: `${ownerEmail} shares a camera with you`,
    title: 'A camera is shared with you',
    text: `${ownerEmail} lets you see the camera “${name}” since ${formatFullDay(at)}.`,
    lines: [{ label: name, hint: `Shared by ${ownerEmail}`, value: formatDay(at) }],
    more: [],
    buttons: [{ label: 'Open the camera', to: '/live' }],
    action: { label: 'Open the camera', path: '/live' },
    small: 'You need not do anything. What you see of it, its owner can read in the activity of the home.',
    about: 'news',
  }
}

export function buildNewSignInEmail(facts: NotificationFacts['new_sign_in']): EmailContent {
  const client = formatClient(facts)
  const activityButton = { label: 'See the activity', to: ACTIVITY_PATH }
  return {
    ...SECURITY_EMAIL_DEFAULTS,
    subject: `New sign-in on ${formatDay(facts.at)}: ${toOneLine(facts.device)}`,
    title: `New sign-in: ${toOneLine(facts.device)}`,
    text: `Somebody signed in as you on ${formatMoment(facts.at)} with a browser that was not used before: ${toOneLine(client)}.`,
    lines: [{ label: toOneLine(client), hint: formatMoment(facts.at) }],
    more: [
      'If it was you, there is nothing to do.',
      'If it was not, sign out all others under Activity, and then choose a new password.',
    ],
    buttons: [activityButton],
    action: { label: activityButton.label, path: activityButton.to },
  }
}

/**
 * Builds the password reset email. `link`: URL of the page for the new password. Only the email contains this URL, not
 * the notification in the account's list.
 */
export function buildPasswordResetEmail(facts: NotificationFacts['password_forgotten'], link: string): EmailContent {
  return {
    ...SECURITY_EMAIL_DEFAULTS,
    subject: `Choose a new password until ${formatMoment(facts.until)}`,
    title: 'A new password was asked for',
    text: `Somebody asked for a new password for your account: ${toOneLine(formatClient(facts))}. The link to choose it works once, until ${formatMoment(facts.until)}.`,
    more: ['Your password stays as it is until you choose another. If it was not you, leave this letter alone.'],
    buttons: [{ label: 'Choose a new password', to: link }],
    action: null,
    small: 'A second factor stays on and is asked for at the next sign-in. Every device is signed out.',
  }
}

/**
 * Builds the email that confirms the address of a new account. `link`: URL of the page that creates the account. Only
 * the email contains this URL.
 */
export function buildConfirmSignUpEmail({ until }: NotificationFacts['confirm_sign_up'], link: string): EmailContent {
  return {
    ...SECURITY_EMAIL_DEFAULTS,
    subject: `Confirm your email for ${BRAND_NAME}`,
    title: 'Confirm your email',
    text: `Confirm this address to create your ${BRAND_NAME} account. The link works until ${formatMoment(until)}.`,
    more: ['If you didn’t ask for an account, ignore this email. Without this link, no account is created.'],
    buttons: [{ label: 'Confirm email', to: link }],
    action: null,
  }
}

export function buildAccountExistsEmail(facts: NotificationFacts['account_exists']): EmailContent {
  return {
    ...SECURITY_EMAIL_DEFAULTS,
    subject: `You already have a ${BRAND_NAME} account`,
    title: 'You already have an account',
    text: `Someone tried to create an account with your email on ${formatMoment(facts.at)}: ${toOneLine(formatClient(facts))}.`,
    more: [
      'If it was you, log in instead. If you don’t remember your password, reset it on the same page.',
      'If it wasn’t you, ignore this email. Nothing has changed.',
    ],
    buttons: [{ label: 'Log in', to: '/live' }],
    action: null,
  }
}

export function buildAccountDeletionEmail({ until, money }: NotificationFacts['account_leaves']): EmailContent {
  const undoButton = { label: 'Keep my account', to: OVERVIEW_PATH }
  return {
    ...SECURITY_EMAIL_DEFAULTS,
    subject: `Your account is deleted on ${formatDay(until)}`,
    title: `Your account is deleted on ${formatDay(until)}`,
    text: `You asked ${BRAND_NAME} to delete your account. Until ${formatFullDay(until)} you can sign in and take that back, and nothing is lost.`,
    lines: [{ label: 'Deleted for good', value: formatFullDay(until) }],
    more: [...money, 'If it was not you, sign in, keep the account, and choose a new password.'],
    buttons: [undoButton],
    action: { label: undoButton.label, path: undoButton.to },
  }
}
