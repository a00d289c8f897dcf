import { atom } from 'nanostores'
import { feedbackCategory, searchFeedback, undoSearchFeedback } from '../../../contract/search/search-calls.ts'
import type { DataOf } from '../../api/api-client.ts'
import { request } from '../../api/api-client.ts'
import { runUserAction, type Failure, ignoreNotFound, withFailureShown } from '../shell/report-failure.ts'

export type FeedbackCategory = DataOf<typeof feedbackCategory>['categories'][number]

export const $feedbackCategories = atom<readonly FeedbackCategory[]>([])

/** Feedback on search results that was given on this page and can be undone, by query. */
export const $givenFeedback = atom<Readonly<Record<string, { readonly id: string; readonly isAccurate: boolean }>>>({})

const SAVE_FAILED_TEXT = 'We couldn’t save your answer. Try again.'
const UNDO_FAILED_TEXT = 'We couldn’t remove your answer. Try again.'

/** Loads the feedback categories once. The category list shows a failure in place. */
export async function loadFeedbackCategories(): Promise<Failure | null> {
  if ($feedbackCategories.get().length > 0) return null
  const response = await withFailureShown('place', request(feedbackCategory, {}))
  if (!response.ok) return response
  $feedbackCategories.set(response.data.categories)
  return null
}

/** Complaint about the search results; null if the results are right. */
export type SearchComplaint = { readonly categoryId: string; readonly message: string } | null

export async function sendSearchFeedback(query: string, complaint: SearchComplaint): Promise<Failure | null> {
  const response = await withFailureShown(
    'toast',
    request(searchFeedback, {
      is_search_result_accurate: complaint === null,
      feedback_message: complaint?.message.trim() ?? '',
      feedback_category_id: complaint?.categoryId ?? '',
      query,
    }),
    SAVE_FAILED_TEXT,
  )
  if (!response.ok) return response
  $givenFeedback.set({
    ...$givenFeedback.get(),
    [query]: { id: response.data.feedback_id, isAccurate: complaint === null },
  })
  return null
}

export async function withdrawSearchFeedback(query: string): Promise<void> {
  const { [query]: feedback, ...others } = $givenFeedback.get()
  if (!feedback) return
  $givenFeedback.set(others)
  const undone = ignoreNotFound(request(undoSearchFeedback, { feedback_id: feedback.id }))
  if (await runUserAction(undone, { own: UNDO_FAILED_TEXT }))
    $givenFeedback.set({ ...$givenFeedback.get(), [query]: feedback })
}
