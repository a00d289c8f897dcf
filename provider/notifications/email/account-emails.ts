import { BRAND_NAME } from '../../../contract/brand.ts'
import type { Facts } from './notification-data.ts'
import type { EmailContent } from './email-content.ts'
import { formatDay, formatFullDay, formatMoment, oneLine, formatClient } from './email-format.ts'

const ACTIVITY = '/account/activity'
const OVERVIEW = '/account'

const SAFETY = { lines: [], more: [], small: null, about: 'safety' } as const
/** Truncates a name that another person chose, so that the email cannot carry a message of theirs. */
const shortenName = (text: string) => oneLine(text).slice(0, 40) || 'a camera'

export function sharedCamera({ camera, owner, at }: Facts['shared_camera']): EmailContent {
  const [name, ownerEmail] = [shortenName(camera), oneLine(owner)]
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

export function newSignIn(facts: Facts['new_sign_in']): EmailContent {
  const place = formatClient(facts)
  const look = { label: 'See the activity', to: ACTIVITY }
  return {
    ...SAFETY,
    subject: `New sign-in on ${formatDay(facts.at)}: ${oneLine(facts.device)}`,
    title: `New sign-in: ${oneLine(facts.device)}`,
    text: `Somebody signed in as you on ${formatMoment(facts.at)} with a browser that was not used before: ${oneLine(place)}.`,
    lines: [{ label: oneLine(place), hint: formatMoment(facts.at) }],
    more: [
      'If it was you, there is nothing to do.',
      'If it was not, sign out all others under Activity, and then choose a new password.',
    ],
    buttons: [look],
    action: { label: look.label, path: look.to },
  }
}

/** `link` is the URL where the new password is chosen. Only the email contains it. */
export function buildPasswordResetEmail(facts: Facts['password_forgotten'], link: string): EmailContent {
  return {
    ...SAFETY,
    subject: `Choose a new password until ${formatMoment(facts.until)}`,
    title: 'A new password was asked for',
    text: `Somebody asked for a new password for your account: ${oneLine(formatClient(facts))}. The link to choose it works once, until ${formatMoment(facts.until)}.`,
    more: ['Your password stays as it is until you choose another. If it was not you, leave this letter alone.'],
    buttons: [{ label: 'Choose a new password', to: link }],
    action: null,
    small: 'A second factor stays on and is asked for at the next sign-in. Every device is signed out.',
  }
}

export function accountLeaves({ until, money }: Facts['account_leaves']): EmailContent {
  const undo = { label: 'Keep my account', to: OVERVIEW }
  return {
    ...SAFETY,
    subject: `Your account is deleted on ${formatDay(until)}`,
    title: `Your account is deleted on ${formatDay(until)}`,
    text: `You asked ${BRAND_NAME} to delete your account. Until ${formatFullDay(until)} you can sign in and take that back, and nothing is lost.`,
    lines: [{ label: 'Deleted for good', value: formatFullDay(until) }],
    more: [...money, 'If it was not you, sign in, keep the account, and choose a new password.'],
    buttons: [undo],
    action: { label: undo.label, path: undo.to },
  }
}
