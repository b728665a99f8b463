// A microphone's sound as tenths of a second of 16-bit samples, 16,000 a second.

const RATE = 16_000;

class Recorder extends AudioWorkletProcessor {
  step = sampleRate / RATE; // samples of the device for one of ours
  due = this.step;
  seen = 0;
  sum = 0;
  count = 0;
  filled = 0;
  frame = new Int16Array(RATE / 10);

  process([input]) {
    for (const sample of input[0] ?? []) this.take(sample);
    return true;
  }

  // The mean of the samples that fall together: enough for speech, and no noise from what is above.
  take(sample) {
    this.sum += sample;
    this.count += 1;
    this.seen += 1;
    if (this.seen < this.due) return;
    const mean = this.sum / this.count;
    for (; this.seen >= this.due; this.due += this.step) this.put(mean);
    this.sum = this.count = 0;
  }

  put(level) {
    this.frame[this.filled++] = Math.max(-1, Math.min(1, level)) * 32_767;
    if (this.filled < this.frame.length) return;
    this.port.postMessage(this.frame.buffer, [this.frame.buffer]);
    this.frame = new Int16Array(RATE / 10);
    this.filled = 0;
  }
}

registerProcessor("recorder", Recorder);
