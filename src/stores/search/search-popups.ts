import { getInstructionState, setInstructionState } from '../../../contract/search/search-calls.ts'
import { request } from '../../api/api-client.ts'
import { $eventTags, type KeptTags } from '../events/event-tags.ts'

/** Each popup: the flag that says so in this browser, and the bit that says so for the account. */
const POPUPS = {
  search: { flag: 'videoSearchPopup', bit: 1 },
  prompt: { flag: 'videoSearchPromptPopup', bit: 2 },
} as const satisfies Record<string, { flag: keyof KeptTags; bit: number }>

/**
 * Whether a popup is to be shown now; from then on it never is again, on any browser of the account. Where it is not known
 * what the account has seen, it waits for another visit.
 */
export async function claimPopup(name: keyof typeof POPUPS): Promise<boolean> {
  const { flag, bit } = POPUPS[name]
  if ($eventTags.get()[flag]) return false
  const answer = await request(getInstructionState, {})
  if (!answer.ok || $eventTags.get()[flag]) return false
  $eventTags.set({ ...$eventTags.get(), [flag]: true })
  if ((answer.data.state & bit) !== 0) return false
  void request(setInstructionState, { state: bit })
  return true
}
