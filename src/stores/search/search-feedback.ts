import { atom } from 'nanostores'
import { feedbackCategory, searchFeedback, undoSearchFeedback } from '../../../contract/search/search-calls.ts'
import type { DataOf } from '../../api/api-client.ts'
import { request } from '../../api/api-client.ts'
import { runUserAction, type Failure, ignoreNotFound, withFailureShown } from '../shell/report-failure.ts'

export type Category = DataOf<typeof feedbackCategory>['categories'][number]

/** Feedback categories; empty until loaded. */
export const $categories = atom<readonly Category[]>([])

/** Feedback given on this page that can be undone, by query. */
export const $given = atom<Readonly<Record<string, { readonly id: string; readonly isAccurate: boolean }>>>({})

const NOT_SAVED = 'Your answer could not be saved. Try again.'
const NOT_TAKEN_BACK = 'Your answer could not be taken back. Try again.'

/** Loads the feedback categories once. The category list shows a failure in place. */
export async function loadCategories(): Promise<Failure | null> {
  if ($categories.get().length > 0) return null
  const answer = await withFailureShown('place', request(feedbackCategory, {}))
  if (!answer.ok) return answer
  $categories.set(answer.data.categories)
  return null
}

/** Complaint about the search results; null if the results are right. */
export type Complaint = { readonly categoryId: string; readonly message: string } | null

export async function giveFeedback(query: string, complaint: Complaint): Promise<Failure | null> {
  const answer = await withFailureShown(
    'toast',
    request(searchFeedback, {
      is_search_result_accurate: complaint === null,
      feedback_message: complaint?.message.trim() ?? '',
      feedback_category_id: complaint?.categoryId ?? '',
      query,
    }),
    NOT_SAVED,
  )
  if (!answer.ok) return answer
  $given.set({ ...$given.get(), [query]: { id: answer.data.feedback_id, isAccurate: complaint === null } })
  return null
}

export async function undoFeedback(query: string): Promise<void> {
  const { [query]: feedback, ...others } = $given.get()
  if (!feedback) return
  $given.set(others)
  const undone = ignoreNotFound(request(undoSearchFeedback, { feedback_id: feedback.id }))
  if (await runUserAction(undone, { own: NOT_TAKEN_BACK })) $given.set({ ...$given.get(), [query]: feedback })
}
