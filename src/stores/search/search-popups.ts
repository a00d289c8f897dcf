import { getInstructionState, setInstructionState } from '../../../contract/search/search-calls.ts'
import { request } from '../../api/api-client.ts'
import { $eventTags, type StoredTags } from '../events/event-tags.ts'

/** Flag in this browser and bit in the account that mark each popup as shown. */
const SEARCH_POPUPS = {
  search: { flag: 'videoSearchPopup', bit: 1 },
  prompt: { flag: 'videoSearchPromptPopup', bit: 2 },
} as const satisfies Record<string, { flag: keyof StoredTags; bit: number }>

/**
 * Returns true if a popup should be shown now, and records it for all browsers of the account. If the account's state
 * does not load, a later visit shows the popup.
 */
export async function claimSearchPopup(name: keyof typeof SEARCH_POPUPS): Promise<boolean> {
  const { flag, bit } = SEARCH_POPUPS[name]
  if ($eventTags.get()[flag]) return false
  const response = await request(getInstructionState, {})
  if (!response.ok || $eventTags.get()[flag]) return false
  $eventTags.set({ ...$eventTags.get(), [flag]: true })
  if ((response.data.state & bit) !== 0) return false
  void request(setInstructionState, { state: bit })
  return true
}
