import { connect } from '../../stores/session/connect.ts'
import { loggedFetch } from '../../services/logged-fetch.ts'
import { noteRequest } from '../log/note-requests.ts'
import { leave } from '../page/page.ts'

/** The API client of this page, connected once, however many modules import this. */
export const refresher = connect({
  fetch: loggedFetch((...args) => fetch(...args), noteRequest),
  leave,
  failed: (code, status) => void toasts().then(({ toastFailure }) => toastFailure(code, status)),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})

/** Toasts, their texts and their place on the page; loaded when the page has nothing better to do, or when one is due. */
export async function toasts() {
  await import('../frame/toasts-view.ts')
  return import('../../stores/shell/failure-toasts.ts')
}
