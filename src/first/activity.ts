import { getActivity } from '../../contract/activity.ts'
import type { AnyQuestion, Question } from './question.ts'

const newest: Question<typeof getActivity, true> = {
  call: getActivity,
  fixed: {},
  about: () => true,
  input: () => ({}),
}

/** What /account/activity asks first: the newest entries of all kinds. */
export const ACTIVITY: readonly AnyQuestion[] = [newest]
