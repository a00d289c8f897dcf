import { getActivity } from '../../../contract/account/activity.ts'
import type { AnyEarlyRequest, EarlyRequest } from '../early-request.ts'

const newestEntries: EarlyRequest<typeof getActivity, true> = {
  call: getActivity,
  fixed: {},
  about: () => true,
  input: () => ({}),
}

export const ACTIVITY_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [newestEntries]
