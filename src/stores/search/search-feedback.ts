import { atom } from 'nanostores'
import { feedbackCategory, searchFeedback, undoSearchFeedback } from '../../../contract/search/search-calls.ts'
import type { DataOf } from '../../api/api-client.ts'
import { request } from '../../api/api-client.ts'
import { runUserAction, type Failure, ignoreNotFound, withFailureShown } from '../shell/report-failure.ts'

export type Category = DataOf<typeof feedbackCategory>['categories'][number]

/** What can be wrong with results; empty until they are asked for. */
export const $categories = atom<readonly Category[]>([])

/** Feedback that was given on this page and can be taken back, by the question it is about. */
export const $given = atom<Readonly<Record<string, { readonly id: string; readonly isAccurate: boolean }>>>({})

const NOT_SAVED = 'Your answer could not be saved. Try again.'
const NOT_TAKEN_BACK = 'Your answer could not be taken back. Try again.'

/** A failure is told in the place of the categories. */
export async function loadCategories(): Promise<Failure | null> {
  if ($categories.get().length > 0) return null
  const answer = await withFailureShown('place', request(feedbackCategory, {}))
  if (!answer.ok) return answer
  $categories.set(answer.data.categories)
  return null
}

/** What is wrong with the results, null where they are right. */
export type Complaint = { readonly categoryId: string; readonly message: string } | null

/** Says whether the results for `query` were right. */
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

/** Takes the feedback on `query` back. */
export async function undoFeedback(query: string): Promise<void> {
  const { [query]: feedback, ...others } = $given.get()
  if (!feedback) return
  $given.set(others)
  const undone = ignoreNotFound(request(undoSearchFeedback, { feedback_id: feedback.id }))
  if (await runUserAction(undone, { own: NOT_TAKEN_BACK })) $given.set({ ...$given.get(), [query]: feedback })
}
