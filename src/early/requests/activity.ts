import { getActivity } from '../../../contract/account/activity.ts'
import type { AnyQuestion, EarlyRequest } from '../early-request.ts'

const newest: EarlyRequest<typeof getActivity, true> = {
  call: getActivity,
  fixed: {},
  about: () => true,
  input: () => ({}),
}

export const ACTIVITY: readonly AnyQuestion[] = [newest]
