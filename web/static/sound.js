// The sounds of the vault and of the table, synthesised without sound files. All is silent
// until somebody switches it on (switches.js); browsers allow it only after the first tap.
"use strict";

window.tableSound = (() => {
  let context = null;

  // [wave, from Hz, to Hz, start in s, length in s, loudness]; "noise" is filtered at Hz.
  const SOUNDS = {
    tick: [["noise", 3200, 2600, 0, 0.022, 0.5], ["triangle", 190, 120, 0, 0.03, 0.25]],
    accepted: [["noise", 1800, 900, 0, 0.03, 0.35], ["sine", 660, 660, 0.01, 0.07, 0.16]],
    wrong_time: [["square", 150, 140, 0, 0.06, 0.07], ["square", 150, 140, 0.12, 0.06, 0.07]],
    wrong: [["triangle", 84, 40, 0.16, 0.3, 0.7], ["sawtooth", 92, 78, 0, 0.55, 0.16], ["square", 61, 55, 0, 0.55, 0.08]],
    right: [
      ["noise", 900, 300, 0, 0.08, 0.7], ["triangle", 95, 60, 0, 0.18, 0.6],
      ["triangle", 262, 262, 0.1, 0.9, 0.14], ["triangle", 330, 330, 0.2, 0.9, 0.14],
      ["triangle", 392, 392, 0.3, 1.0, 0.14], ["triangle", 523, 523, 0.42, 1.3, 0.16],
    ],
    rise: [["noise", 500, 1600, 0, 0.14, 0.3], ["sine", 170, 420, 0, 0.16, 0.22], ["sine", 2093, 2093, 0.18, 0.7, 0.05]],
    shut: [["triangle", 110, 48, 0, 0.22, 0.8], ["noise", 420, 160, 0, 0.12, 0.8], ["noise", 2400, 1400, 0.09, 0.03, 0.4]],
    locked: [["noise", 1500, 700, 0, 0.05, 0.6], ["noise", 1300, 600, 0.14, 0.05, 0.6], ["triangle", 130, 62, 0.28, 0.25, 0.7], ["noise", 700, 240, 0.28, 0.1, 0.7]],
    jammed: [["sawtooth", 180, 120, 0, 0.12, 0.1], ["sawtooth", 180, 120, 0.25, 0.12, 0.1], ["sawtooth", 180, 120, 0.5, 0.12, 0.1]],
    // For vault scenes: a guess is due, a held breath, and the contents pouring out.
    due: [["triangle", 147, 147, 0, 0.5, 0.2], ["triangle", 139, 139, 0.32, 1.1, 0.22], ["sine", 70, 66, 0.32, 1.1, 0.25]],
    held: [["noise", 700, 1900, 0, 0.7, 0.05], ["sine", 58, 46, 0, 0.16, 0.6], ["sine", 58, 46, 0.24, 0.16, 0.45]],
    treasure: [
      ...[523, 659, 784, 1047, 1319, 1568].map((hz, at) => ["triangle", hz, hz, 0.5 + 0.09 * at, 0.7, 0.09]),
      ...[0, 1, 2, 3, 4, 5, 6, 7].map((at) => ["sine", 3100 + 130 * (at % 3), 2900, 0.9 + 0.13 * at, 0.12, 0.05]),
    ],
    // For the table: dice on wood, coins, a raised hand at an auction, the gavel, a fanfare.
    dice: [
      ...[0, 0.07, 0.15, 0.26, 0.34].map((at) => ["noise", 1700 - 900 * at, 900, at, 0.04, 0.6]),
      ...[0.02, 0.17, 0.36].map((at) => ["triangle", 320, 170, at, 0.05, 0.3]),
    ],
    coins: [0, 0.07, 0.16, 0.22].flatMap((at, nth) => [
      ["sine", 2640 + 210 * (nth % 3), 2600, at, 0.16, 0.08], ["sine", 4180 + 160 * nth, 4100, at, 0.09, 0.04],
    ]),
    bid: [["triangle", 523, 523, 0, 0.1, 0.16], ["triangle", 659, 659, 0.09, 0.16, 0.16]],
    gavel: [0, 0.24].flatMap((at) => [["triangle", 240, 90, at, 0.12, 0.8], ["noise", 1100, 350, at, 0.06, 0.9]]),
    won: [
      ...[[392, 0], [523, 0.16], [659, 0.32], [784, 0.48], [659, 0.72], [784, 0.86]]
        .map(([hz, at]) => ["triangle", hz, hz, at, at > 0.8 ? 1.4 : 0.3, 0.16]),
      ["triangle", 523, 523, 0.86, 1.4, 0.12], ["triangle", 1047, 1047, 0.86, 1.4, 0.08],
    ],
    ruin: [
      ...[[392, 0], [330, 0.28], [262, 0.56], [196, 0.9]].map(([hz, at]) => ["sawtooth", hz, hz * 0.94, at, 0.5, 0.07]),
      ...[1.3, 1.42, 1.5].map((at) => ["sine", 2500 - 600 * (at - 1.3), 2300, at, 0.14, 0.06]),
    ],
    turn: [["sine", 784, 784, 0, 0.3, 0.12], ["sine", 1047, 1047, 0.13, 0.5, 0.12]],
    alarm: [0, 0.2, 0.4, 0.6, 0.8].map((at) => ["square", 620, 470, at, 0.12, 0.07]),
  };

  function noise() {
    const buffer = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
    return buffer;
  }

  function voice([wave, from, to, startS, lengthS, loudness]) {
    const at = context.currentTime + startS;
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(loudness, at + 0.004);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + lengthS);
    gain.connect(context.destination);
    const isNoise = wave === "noise";
    const source = isNoise ? context.createBufferSource() : context.createOscillator();
    const pitch = isNoise ? context.createBiquadFilter() : source;
    if (isNoise) {
      source.buffer = context.noise ??= noise();
      pitch.type = "bandpass";
      source.connect(pitch);
    } else {
      source.type = wave;
    }
    pitch.frequency.setValueAtTime(from, at);
    pitch.frequency.exponentialRampToValueAtTime(to, at + lengthS);
    pitch.connect(gain);
    source.start(at);
    source.stop(at + lengthS + 0.02);
  }

  function play(name) {
    if (power.isOn() && context?.state === "running") (SOUNDS[name] ?? []).forEach(voice);
  }

  function wake() {
    const AudioContext = window.AudioContext ?? window.webkitAudioContext;
    if (!AudioContext) return;
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume().catch(() => {});
  }

  const power = window.switches.sound;
  const welcome = () => { // By the tap that turned it, which browsers want.
    wake();
    play("coins");
  };
  if (power.isOn()) wake(); // Some browsers remember that somebody tapped here before.
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake);
  return { play, welcome, isOn: power.isOn };
})();
