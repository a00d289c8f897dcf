import { useStore } from '@nanostores/react'
import ThumbsDown from 'lucide-react/icons/thumbs-down'
import ThumbsUp from 'lucide-react/icons/thumbs-up'
import { type FormEvent, useState } from 'react'
import {
  $categories,
  $given,
  type Complaint,
  giveFeedback,
  loadCategories,
  undoFeedback,
} from '../../../stores/search/search-feedback.ts'
import { Problem } from '../../../ui/InlineError.tsx'
import { useAct } from '../../../ui/use-action.ts'

/** Feedback on the results; it affects later searches, and can be undone. */
export function SearchFeedback({ query }: { query: string }) {
  const feedback = useStore($given)[query]
  const [isComplaining, complain] = useState(false)
  const { isBusy, failure, run } = useAct()
  const give = (complaint: Complaint) =>
    run(() => giveFeedback(query, complaint)).then((isDone) => isDone && complain(false))
  const open = () => run(loadCategories).then((isDone) => isDone && complain(true))
  return (
    <section className="panel search-feedback" aria-labelledby="search-feedback">
      <h2 id="search-feedback">Did we find it?</h2>
      {feedback ? (
        <div role="status">
          <p>
            Thank you. {feedback.isAccurate ? 'These results stay in front' : 'These results move back'} when your home
            searches for this.
          </p>
          <button type="button" className="btn btn-sm btn-outline" onClick={() => void undoFeedback(query)}>
            Undo
          </button>
        </div>
      ) : isComplaining ? (
        <ComplaintForm isBusy={isBusy} onSend={give} onCancel={() => complain(false)} />
      ) : (
        <>
          <p>Your answer re-orders results for this home. You can undo it.</p>
          <div className="search-pair">
            <button
              type="button"
              className="btn btn-sm btn-outline"
              aria-disabled={isBusy}
              onClick={() => void give(null)}
            >
              <ThumbsUp size={18} aria-hidden />
              Yes
            </button>
            <button type="button" className="btn btn-sm btn-outline" aria-disabled={isBusy} onClick={() => void open()}>
              <ThumbsDown size={18} aria-hidden />
              Not quite
            </button>
          </div>
        </>
      )}
      <Problem failure={failure} />
    </section>
  )
}

const MESSAGE_MAX = 1000

function ComplaintForm({
  isBusy,
  onSend,
  onCancel,
}: {
  isBusy: boolean
  onSend: (complaint: Complaint) => Promise<unknown>
  onCancel: () => void
}) {
  const categories = useStore($categories)
  const [categoryId, setCategory] = useState('')
  const [message, setMessage] = useState('')
  const send = (submit: FormEvent) => {
    submit.preventDefault()
    void onSend({ categoryId, message })
  }
  return (
    <form onSubmit={send}>
      <fieldset>
        <legend>What is wrong?</legend>
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
        Tell us more, if you like
        <textarea
          className="input"
          rows={3}
          maxLength={MESSAGE_MAX}
          value={message}
          onChange={(change) => setMessage(change.target.value)}
        />
      </label>
      <div className="search-pair">
        <button type="button" className="btn btn-sm btn-outline" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="btn btn-sm btn-primary" aria-disabled={isBusy}>
          {isBusy ? 'Sending' : 'Send'}
        </button>
      </div>
    </form>
  )
}
