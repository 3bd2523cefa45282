"""The commands with which make-recordings.py makes files, and the known durations."""

T = 7.31

# Name, then ffmpeg's arguments after `-i SOURCE`, or `$` and a shell command. Sources are named by channels
# (m, s, six) and rate; {m44}, {out} and the like stand for paths. Files may be made from those above them.
PLAIN = """
wav/u8.wav                  m44 -c:a pcm_u8
wav/s16.wav                 s44 -c:a pcm_s16le
wav/s24.wav                 s44 -c:a pcm_s24le
wav/s32.wav                 m48 -c:a pcm_s32le
wav/f32.wav                 s44 -c:a pcm_f32le
wav/f64.wav                 m44 -c:a pcm_f64le
wav/alaw.wav                m8 -c:a pcm_alaw
wav/mulaw.wav               m8 -c:a pcm_mulaw
wav/ms-adpcm.wav            s44 -c:a adpcm_ms
wav/ms-adpcm-sox.wav        $ sox {m44} -e ms-adpcm {out}
wav/ima-adpcm.wav           m44 -c:a adpcm_ima_wav
wav/ima-adpcm-sox.wav       $ sox {s22} -e ima-adpcm {out}
wav/gsm.wav                 m8 -c:a libgsm_ms
wav/mp3.wav                 m44 -c:a libmp3lame
wav/extensible-6ch.wav      six48 -c:a pcm_s16le
wav/extensible-24bit.wav    $ sox {s44} -b 24 {out}
wav/rifx.wav                $ sox {s44} -B {out}
wav/rf64.wav                s44 -rf64 always
wav/w64.w64                 s44 -c:a pcm_s16le
wav/w64-sox.w64             $ sox {s44} -b 24 {out}
aiff/s16.aiff               s44 -c:a pcm_s16be
aiff/s24.aiff               s44 -c:a pcm_s24be
aiff/s8-sox.aiff            $ sox {m11} -b 8 {out}
aiff/sowt.aifc              s44 -c:a pcm_s16le -f aiff
aiff/sox.aifc               $ sox {s44} {out}
aiff/fl32.aifc              s44 -c:a pcm_f32be -f aiff
aiff/alaw.aifc              m8 -c:a pcm_alaw -f aiff
aiff/ulaw.aifc              m8 -c:a pcm_mulaw -f aiff
aiff/ima4.aifc              s44 -c:a adpcm_ima_qt -f aiff
au/mulaw.au                 m8 -c:a pcm_mulaw
au/alaw.au                  m8 -c:a pcm_alaw
au/s16.au                   s44 -c:a pcm_s16be
au/s24-sox.au               $ sox {m48} -b 24 {out}
au/f32.au                   s44 -c:a pcm_f32be
au/f64.au                   m44 -c:a pcm_f64be
caf/s16be.caf               s44 -c:a pcm_s16be
caf/s16le.caf               s44 -c:a pcm_s16le
caf/f32.caf                 s44 -c:a pcm_f32le
caf/mulaw.caf               m8 -c:a pcm_mulaw
caf/alac.caf                s44 -c:a alac
caf/ima4.caf                s44 -c:a adpcm_ima_qt
caf/opus.caf                s48 -c:a libopus
flac/flac.flac              $ flac -s {s44} -o {out}
flac/24bit.flac             $ sox {s44} -b 24 {out}
flac/8khz.flac              $ flac -s -0 {m8} -o {out}
flac/6ch.flac               six48 -c:a flac
flac/ffmpeg.flac            s44 -c:a flac
flac/ffmpeg-piped.flac      $ {ff} -i {s44} -f flac - | cat > {out}
flac/piped.flac             $ flac -s -c - < {s44} | cat > {out}
flac/piped-raw.flac         $ sox {s44} -t raw - | flac -s {raw} | cat > {out}
ogg/flac.oga                $ flac -s --ogg {s44} -o {out}
ogg/flac-ffmpeg.oga         s44 -c:a flac
ogg/flac-piped.oga          $ sox {s44} -t raw - | flac -s --ogg {raw} | cat > {out}
ogg/vorbis.ogg              $ oggenc -Q {s44} -o {out}
ogg/vorbis-8khz.ogg         $ oggenc -Q -q 0 {m8} -o {out}
ogg/vorbis-16khz.ogg        $ oggenc -Q -q 4 {m16} -o {out}
ogg/vorbis-6ch.ogg          $ oggenc -Q {six48} -o {out}
ogg/vorbis-ffmpeg.ogg       s44 -c:a libvorbis
ogg/vorbis-with-video.ogv   s44 -f lavfi -i testsrc=s=32x32:r=5:d=9 -c:v libtheora -c:a libvorbis
ogg/opus.opus               $ opusenc --quiet {s48} {out}
ogg/opus-44khz.opus         $ opusenc --quiet --bitrate 24 {m44} {out}
ogg/opus-8khz.opus          $ opusenc --quiet --bitrate 12 {m8} {out}
ogg/opus-60ms.opus          $ opusenc --quiet --framesize 60 {m48} {out}
ogg/opus-2.5ms.opus         $ opusenc --quiet --framesize 2.5 {m48} {out}
ogg/opus-cbr.opus           $ opusenc --quiet --hard-cbr --bitrate 32 {m48} {out}
ogg/opus-6ch.opus           $ opusenc --quiet {six48} {out}
ogg/opus-ffmpeg.opus        s48 -c:a libopus
ogg/opus-ffmpeg-120ms.opus  s48 -c:a libopus -frame_duration 120
ogg/speex-nb.spx            $ speexenc --quiet -n {m8} {out}
ogg/speex-wb.spx            $ speexenc --quiet -w {m16} {out}
ogg/speex-uwb.spx           $ speexenc --quiet -u {m32} {out}
ogg/speex-4-frames.spx      $ speexenc --quiet --nframes 4 -w {m16} {out}
ogg/speex-vbr-dtx.spx       $ speexenc --quiet --vbr --dtx -n {m8} {out}
ogg/speex-ffmpeg.spx        m16 -c:a libspeex
mp2/mp2.mp2                 s44 -c:a mp2 -b:a 128k
mp2/mp2-48khz.mp2           s48 -c:a libtwolame -b:a 192k
mp2/mp2-22khz.mp2           m22 -c:a mp2 -b:a 32k
mp3/cbr.mp3                 $ lame --quiet -b 128 {s44} {out}
mp3/cbr-mono.mp3            $ lame --quiet -b 64 {m44} {out}
mp3/cbr-320.mp3             $ lame --quiet -b 320 {s44} {out}
mp3/cbr-crc.mp3             $ lame --quiet -p -b 128 {s44} {out}
mp3/cbr-no-info.mp3         $ lame --quiet -t -b 128 {s44} {out}
mp3/abr.mp3                 $ lame --quiet --abr 96 {s44} {out}
mp3/vbr-48khz.mp3           $ lame --quiet -V 4 --resample 48 {s48} {out}
mp3/vbr-44khz.mp3           $ lame --quiet -V 2 {s44} {out}
mp3/vbr-32khz.mp3           $ lame --quiet -V 5 --resample 32 {m32} {out}
mp3/vbr-24khz.mp3           $ lame --quiet -V 6 --resample 24 {m24} {out}
mp3/vbr-22khz.mp3           $ lame --quiet -V 6 --resample 22.05 {s22} {out}
mp3/vbr-16khz.mp3           $ lame --quiet -V 6 --resample 16 {m16} {out}
mp3/vbr-11khz.mp3           $ lame --quiet -V 7 --resample 11.025 {m11} {out}
mp3/vbr-8khz.mp3            $ lame --quiet -V 7 --resample 8 {m8} {out}
mp3/cbr-16khz.mp3           $ lame --quiet -b 32 --resample 16 {m16} {out}
mp3/cbr-8khz-no-info.mp3    $ lame --quiet -t -b 16 --resample 8 {m8} {out}
mp3/free-format.mp3         $ lame --quiet --freeformat -b 400 {s44} {out}
mp3/ffmpeg.mp3              s44 -c:a libmp3lame
mp3/ffmpeg-vbr.mp3          s44 -c:a libmp3lame -q:a 4
mp3/ffmpeg-no-xing.mp3      s44 -c:a libmp3lame -write_xing 0
mp3/shine.mp3               s44 -c:a libshine -b:a 128k
aac/adts.aac                s44 -c:a aac
aac/adts-48khz.aac          m48 -c:a aac
aac/adts-16khz.aac          m16 -c:a aac
aac/adts-8khz.aac           m8 -c:a aac
aac/adts-6ch.aac            six48 -c:a aac
aac/adts-id3.aac            s44 -c:a aac -write_id3v2 1 -metadata title=Invented
mp4/aac.m4a                 s44 -c:a aac
mp4/aac-faststart.m4a       s44 -c:a aac -movflags +faststart
mp4/aac-48khz.mp4           s48 -c:a aac
mp4/aac-16khz.m4a           m16 -c:a aac
mp4/aac-8khz.m4a            m8 -c:a aac
mp4/aac-22khz.m4a           m22 -c:a aac
mp4/aac-6ch.m4a             six48 -c:a aac
mp4/aac-from-adts.m4a       $ {ff} -i plain/aac/adts.aac -c copy {out}
mp4/aac.mov                 s44 -c:a aac
mp4/aac.3gp                 m16 -c:a aac
mp4/alac.m4a                s44 -c:a alac
mp4/opus.mp4                s48 -c:a libopus
mp4/flac.mp4                s44 -c:a flac -strict -2
mp4/mp3.mp4                 s44 -c:a libmp3lame
mp4/mp3.mov                 s44 -c:a libmp3lame
mp4/ac3.mp4                 s48 -c:a ac3
mp4/sowt.mov                s44 -c:a pcm_s16le
mp4/twos.mov                s44 -c:a pcm_s16be
mp4/in24.mov                s44 -c:a pcm_s24be
mp4/in24-little.mov         s44 -c:a pcm_s24le
mp4/fl32.mov                s44 -c:a pcm_f32le
mp4/ulaw.mov                m8 -c:a pcm_mulaw
mp4/ima4.mov                s44 -c:a adpcm_ima_qt
mp4/video-longer.mp4        s44 {video9} -c:v mpeg4 -c:a aac
mp4/video-shorter.mp4       s44 {video5} -c:v mpeg4 -c:a aac -movflags +faststart
mp4/video.mov               s44 {video9} -c:v mpeg4 -c:a pcm_s16le
mp4/two-tracks.mp4          s44 -f lavfi -i sine=d=9 -map 0:a -map 1:a -c:a aac
mp4/fragmented-aac.mp4      s44 -c:a aac {fragments}
mp4/fragmented-opus.mp4     s48 -c:a libopus {fragments}
mp4/fragmented-flac.mp4     s44 -c:a flac -strict -2 {fragments}
mp4/fragmented-delay.mp4    s44 -c:a aac {fragments}+delay_moov
mp4/fragmented-no-mfra.mp4  s44 -c:a aac {fragments}+skip_trailer+separate_moof
mp4/fragmented-offsets.mp4  s44 -c:a aac -movflags frag_keyframe+empty_moov+omit_tfhd_offset -frag_duration 500000
mp4/fragmented-video.mp4    s44 {video9} -g 5 -c:v mpeg4 -c:a aac {fragments}
mp4/fragmented-sidx.mp4     s44 -c:a aac {fragments}+dash+global_sidx
mp4/fragmented-hybrid.mp4   s44 -c:a aac -movflags frag_keyframe -frag_duration 1000000
webm/opus.webm              s48 -c:a libopus
webm/opus-60ms.webm         s48 -c:a libopus -frame_duration 60
webm/opus-2.5ms.webm        s48 -c:a libopus -frame_duration 2.5
webm/vorbis.webm            s44 -c:a libvorbis
webm/piped.webm             $ {ff} -i {s48} -c:a libopus -f webm - | cat > {out}
webm/video-longer.webm      s48 {video9} -c:v libvpx -deadline realtime -c:a libopus
webm/video-shorter.webm     s48 {video5} -c:v libvpx -deadline realtime -c:a libvorbis
webm/cues-front.webm        s48 -c:a libopus -reserve_index_space 500
mkv/opus.mka                s48 -c:a libopus
mkv/vorbis.mka              s44 -c:a libvorbis
mkv/aac.mka                 s44 -c:a aac
mkv/aac-48khz.mkv           s48 -c:a aac
mkv/flac.mka                s44 -c:a flac
mkv/pcm.mka                 s44 -c:a pcm_s16le
mkv/pcm-float.mka           m48 -c:a pcm_f32le
mkv/mp3.mka                 s44 -c:a libmp3lame
mkv/alac.mka                s44 -c:a alac
mkv/ac3.mka                 s48 -c:a ac3
mkv/two-tracks.mka          s44 -f lavfi -i sine=d=9 -map 0:a -map 1:a -c:a libvorbis
mkv/video-longer.mkv        s44 {video9} -c:v mpeg4 -c:a aac
mkv/mkvmerge-opus.mka       $ mkvmerge -q -o {out} plain/ogg/opus.opus
mkv/mkvmerge-vorbis.mka     $ mkvmerge -q -o {out} plain/ogg/vorbis.ogg
mkv/mkvmerge-aac.mka        $ mkvmerge -q -o {out} plain/aac/adts.aac
mkv/mkvmerge-mp3.mka        $ mkvmerge -q -o {out} plain/mp3/vbr-44khz.mp3
mkv/mkvmerge-flac.mka       $ mkvmerge -q -o {out} plain/flac/flac.flac
mkv/mkvmerge-pcm.mka        $ mkvmerge -q -o {out} plain/wav/s16.wav
amr/nb.amr                  $ sox {m8} -C 7 -t amr-nb {out}
amr/nb-4.75.amr             $ sox {m8} -C 0 -t amr-nb {out}
amr/nb.3gp                  $ {ff} -i plain/amr/nb.amr -c copy {out}
"""

HARD = """
webm/live.webm              s48 -c:a libopus -live 1
webm/live-vorbis.webm       s44 -c:a libvorbis -live 1
webm/live-video.webm        s48 {video9} -c:v libvpx -deadline realtime -c:a libopus -live 1
wav/piped-ffmpeg.wav        $ {ff} -i {s44} -f wav - | cat > {out}
wav/piped-sox.wav           $ sox {s44} -t wav - | cat > {out}
wav/piped-raw-sox.wav       $ sox {s44} -t raw - | sox {soxraw} -t wav - 2>&- | cat > {out}
aiff/piped-sox.aiff         $ sox {s44} -t raw - | sox {soxraw} -t aiff - 2>&- | cat > {out}
au/piped.au                 $ {ff} -i {s44} -c:a pcm_s16be -f au - | cat > {out}
ogg/vorbis-from-100s.ogg    $ {ff} -ss 100 -copyts -i {tmp}/ogg/long.ogg -c copy {out}
ogg/opus-from-100s.opus     $ {ff} -ss 100 -copyts -i {tmp}/ogg/long.opus -c copy {out}
mp4/no-edit-list.m4a        s44 -c:a aac -use_editlist 0
"""

# Files that are only parts of other files.
PARTS = """
mp3/silence-32.mp3          $ sox -n -r 44100 -c 2 -t wav - trim 0 0.2 | lame --quiet -t -b 32 --resample 44.1 - {out}
ogg/long.ogg                $ {ff} -stream_loop 16 -i {s44} -t 107.31 -c:a libvorbis {out}
ogg/long.opus               $ {ff} -stream_loop 16 -i {s48} -t 107.31 -c:a libopus {out}
flac/first.flac             $ sox {s44} -t wav - trim 0 184320s | flac -s -b 4608 - -o {out}
flac/second.flac            $ sox {s44} -t wav - trim 184320s | flac -s -b 1152 - -o {out}
"""

# True seconds of files that ffmpeg counts differently from a conforming player. The first matching pattern decides;
# None means ffmpeg's count. MEDIA is the duration in AAC's sample tables, with the encoder delay of 1024.
MEDIA = (322371 + 1024) / 44100
TRUE = {
    "plain/mp4/fragmented-delay.mp4": T, "plain/mp4/fragmented-opus.mp4": T, "plain/mp4/fragmented-flac.mp4": T,
    "plain/mp4/fragmented-*": MEDIA, "hard/mp4/fragmented-*": MEDIA, "hard/mp4/no-edit-list.m4a": MEDIA,
    "plain/mp4/aac-from-adts.m4a": None, "plain/mp4/ac3.mp4": None, "plain/mp4/ima4.mov": None,
    "plain/mp4/*": T,                                 # edit lists: ffmpeg honors their start and not their end
    "plain/amr/nb*": 366 * 0.02,                      # ffmpeg skips frames of comfort noise and without data
    "plain/ogg/speex-ffmpeg.spx": 116977 / 16000, "plain/ogg/*.spx": T,       # the last granule cuts the last frame
    "plain/mp3/free-format.mp3": T,                   # ffmpeg does not decode it
    "plain/mp3/shine.mp3": 279 * 1152 / 44100,        # a tag without delay, and ffmpeg skips 529 samples
    "plain/wav/*-adpcm-sox.wav": T,                   # `fact` tells how much of the last block is padding
    "plain/wav/w64.w64": T,                           # ffmpeg takes the data chunk's padding for a sample
}

# Samples of a codec frame. PCM counts as 1, Opus as 20 ms.
FRAME = {"aac": 1024, "mp1": 384, "mp2": 1152, "mp3": 1152, "vorbis": 1024, "flac": 4608, "alac": 4096, "ac3": 1536,
         "opus": 960, "speex": 320, "amr_nb": 160, "amr_wb": 320, "gsm_ms": 320, "adpcm_ms": 2036,
         "adpcm_ima_wav": 2041, "adpcm_ima_qt": 64}
SECONDS = {"*he-aac*": 2048 / 44100, "*speex-4*": 0.08,
           "*opus*2.5ms*": 0.0025, "*opus*60ms*": 0.06, "*opus*120ms*": 0.12}
