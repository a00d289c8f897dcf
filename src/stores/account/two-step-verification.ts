import { atom } from 'nanostores'

/** True if the account has two-step verification; null before the load. */
export const $hasTwoStepVerification = atom<boolean | null>(null)
