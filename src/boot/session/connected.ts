import { earlyFetch } from '../../api/early-fetch.ts'
import { connect } from '../../stores/session/connect.ts'
import { noteRequest } from '../log/note-requests.ts'
import { notedFetch } from '../log/noted-fetch.ts'
import { leave } from '../page/page.ts'

/** Every request of this page: what the document has asked is taken, and all of them are noted for the action log (OPEN-137). */
export const pageFetch = earlyFetch(notedFetch, noteRequest)

/** The API client of this page, connected once, however many modules import this. */
export const refresher = connect({
  fetch: pageFetch,
  leave,
  failed: (code, status) => void toasts().then(({ toastFailure }) => toastFailure(code, status)),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})

/** Toasts, their texts and their place on the page; loaded when the page has nothing better to do, or when one is due. */
export async function toasts() {
  await import('../frame/toasts-view.ts')
  return import('../../stores/shell/failure-toasts.ts')
}
