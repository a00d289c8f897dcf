import { getActivity } from '../../../contract/account/activity.ts'
import type { AnyQuestion, EarlyRequest } from '../early-request.ts'

const newest: EarlyRequest<typeof getActivity, true> = {
  call: getActivity,
  fixed: {},
  about: () => true,
  input: () => ({}),
}

/** What /account/activity asks first: the newest entries of all kinds. */
export const ACTIVITY: readonly AnyQuestion[] = [newest]
