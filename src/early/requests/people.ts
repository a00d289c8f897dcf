import { getHomePeople } from '../../../contract/events/people.ts'
import type { AnyEarlyRequest, EarlyRequest } from '../early-request.ts'

const people: EarlyRequest<typeof getHomePeople, true> = {
  call: getHomePeople,
  fixed: {},
  about: () => true,
  input: () => ({}),
}

export const PEOPLE_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [people]
