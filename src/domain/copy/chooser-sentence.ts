/** Sentence below the title of the plan chooser. In a file of its own, because the skeleton of the page shows it first. */
export const CHOOSER_SENTENCE = 'Live video is free. A plan keeps clips longer and lets you search them.'
