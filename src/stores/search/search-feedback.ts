import { atom } from 'nanostores'
import { feedbackCategory, searchFeedback, undoSearchFeedback } from '../../../contract/search.ts'
import type { DataOf } from '../../api/client.ts'
import { request } from '../../api/client.ts'
import { failureText } from '../shell/failure-text.ts'
import { showToast } from '../shell/toasts.ts'

export type Category = DataOf<typeof feedbackCategory>['categories'][number]

/** What can be wrong with results; empty until they are asked for. */
export const $categories = atom<readonly Category[]>([])

/** Feedback that was given on this page and can be taken back, by the question it is about. */
export const $given = atom<Readonly<Record<string, { readonly id: string; readonly isAccurate: boolean }>>>({})

/** Answers '' or what went wrong. */
export async function loadCategories(): Promise<string> {
  if ($categories.get().length > 0) return ''
  const answer = await request(feedbackCategory, {}, { silent: true })
  if (!answer.ok) return failureText(answer)
  $categories.set(answer.data.categories)
  return ''
}

/** What is wrong with the results, null where they are right. */
export type Complaint = { readonly categoryId: string; readonly message: string } | null

/** Says whether the results for `query` were right. Answers '' or what went wrong. */
export async function giveFeedback(query: string, complaint: Complaint): Promise<string> {
  const answer = await request(
    searchFeedback,
    {
      is_search_result_accurate: complaint === null,
      feedback_message: complaint?.message.trim() ?? '',
      feedback_category_id: complaint?.categoryId ?? '',
      query,
    },
    { silent: true },
  )
  if (!answer.ok) return failureText(answer)
  $given.set({ ...$given.get(), [query]: { id: answer.data.feedback_id, isAccurate: complaint === null } })
  return ''
}

/** Takes the feedback on `query` back. */
export async function undoFeedback(query: string): Promise<void> {
  const { [query]: given, ...others } = $given.get()
  if (!given) return
  $given.set(others)
  const answer = await request(undoSearchFeedback, { feedback_id: given.id }, { silent: true })
  if (answer.ok || answer.status === 404) return
  $given.set({ ...$given.get(), [query]: given })
  showToast('error', 'Your answer could not be taken back. Try again.')
}
