import { useStore } from '@nanostores/react'
import ThumbsDown from 'lucide-react/icons/thumbs-down'
import ThumbsUp from 'lucide-react/icons/thumbs-up'
import { type FormEvent, useState } from 'react'
import {
  $feedbackCategories,
  $givenFeedback,
  type SearchComplaint,
  sendSearchFeedback,
  loadFeedbackCategories,
  withdrawSearchFeedback,
} from '../../../stores/search/search-feedback.ts'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** Feedback on the results. The feedback affects later searches of the home, and can be undone. */
export function SearchFeedback({ query }: { query: string }) {
  const feedback = useStore($givenFeedback)[query]
  const [isComplaining, setComplaining] = useState(false)
  const { isBusy, failure, run } = useAction()
  const sendFeedback = (complaint: SearchComplaint) =>
    run(() => sendSearchFeedback(query, complaint)).then((isDone) => isDone && setComplaining(false))
  const openComplaintForm = () => run(loadFeedbackCategories).then((isDone) => isDone && setComplaining(true))
  return (
    <section className="panel search-feedback" aria-labelledby="search-feedback">
      <h2 id="search-feedback">Did we find the right clips?</h2>
      {feedback ? (
        <div role="status">
          <p>
            Thanks. {feedback.isAccurate ? 'These results will rank higher' : 'These results will rank lower'} when
            someone in your home searches for this again.
          </p>
          <button type="button" className="btn btn-sm btn-outline" onClick={() => void withdrawSearchFeedback(query)}>
            Undo
          </button>
        </div>
      ) : isComplaining ? (
        <ComplaintForm isBusy={isBusy} onSend={sendFeedback} onCancel={() => setComplaining(false)} />
      ) : (
        <>
          <p>Your feedback improves results for this home.</p>
          <div className="search-pair">
            <button
              type="button"
              className="btn btn-sm btn-outline"
              aria-disabled={isBusy}
              onClick={() => void sendFeedback(null)}
            >
              <ThumbsUp size={18} aria-hidden />
              Yes
            </button>
            <button
              type="button"
              className="btn btn-sm btn-outline"
              aria-disabled={isBusy}
              onClick={() => void openComplaintForm()}
            >
              <ThumbsDown size={18} aria-hidden />
              Not quite
            </button>
          </div>
        </>
      )}
      <InlineError failure={failure} />
    </section>
  )
}

const MESSAGE_MAX_CHARS = 1000

function ComplaintForm({
  isBusy,
  onSend,
  onCancel,
}: {
  isBusy: boolean
  onSend: (complaint: SearchComplaint) => Promise<unknown>
  onCancel: () => void
}) {
  const categories = useStore($feedbackCategories)
  const [categoryId, setCategory] = useState('')
  const [message, setMessage] = useState('')
  const send = (submit: FormEvent) => {
    submit.preventDefault()
    void onSend({ categoryId, message })
  }
  return (
    <form onSubmit={send}>
      <fieldset>
        <legend>What’s wrong?</legend>
        {categories.map(({ id, name }, i) => (
          <label key={id}>
            <input
              type="radio"
              name="category"
              className="accent-primary size-[18px]"
              required
              autoFocus={i === 0}
              checked={categoryId === id}
              onChange={() => setCategory(id)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <label className="search-message">
        Tell us more (optional)
        <textarea
          className="input"
          rows={3}
          maxLength={MESSAGE_MAX_CHARS}
          value={message}
          onChange={(change) => setMessage(change.target.value)}
        />
      </label>
      <div className="search-pair">
        <button type="button" className="btn btn-sm btn-outline" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="btn btn-sm btn-primary" aria-disabled={isBusy}>
          {isBusy ? 'Sending…' : 'Send'}
        </button>
      </div>
    </form>
  )
}
